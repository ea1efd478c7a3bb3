/** Holds: what people asked to be forgotten, where, and what a person decided about it. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import {
  FORGET_DUE_HOURS,
  FORGET_SETTINGS,
  HOLD_KINDS,
  HOLD_STATES,
  peerOfKey,
  type ActingHold,
  type ForgetSetting,
  type HoldKind,
  type HoldState,
} from '../../../domain/forgetting/holds.ts';
import { parseScopePath, type ScopePath } from '../../../domain/scopes/path.ts';
import { AccountStore } from '../account-store.ts';
import { AuditStore, type AuditActor } from '../audit/audit.store.ts';
import { LEAST_ID } from '../id-page.ts';
import { RunsStore } from '../runs/runs.store.ts';
import type { ForeignValue } from '../../../domain/forgetting/judge.ts';
import { judgeIn, readEdition } from '../judging.ts';
import { readMessages, readStatements, serveMessages, serveStatements } from './serve.ts';

const bytes = z.string().transform((hex) => new Uint8Array(Buffer.from(hex, 'hex')));
/** Instants inside JSON come in Postgres' own spelling. */
const instant = z.string().transform((at) => new Date(at).toISOString());
const asBytea = (value: Uint8Array): string => `\\x${Buffer.from(value).toString('hex')}`;
const scopePath = z.string().transform((path): ScopePath => {
  const parsed = parseScopePath(path);
  if (parsed === null) throw new TypeError('a stored path is a path');
  return parsed;
});

const valueShape = z.object({
  hash: z.string(),
  hint: z.number(),
  opens_door: z.boolean(),
  is_specific: z.boolean(),
  first_said_at: instant.nullable(),
  is_stated: z.boolean(),
});

const actingRow = z.object({
  id: z.string(),
  scope_path: scopePath,
  requester_id: z.string().nullable(),
  requester_key: z.string().nullable(),
  is_general: z.boolean(),
  sealed_key: bytes,
  values: z.array(valueShape),
});

export interface ActingHoldRow extends ActingHold {
  readonly sealedKey: Uint8Array;
  readonly values: readonly z.infer<typeof valueShape>[];
}

/** All by which texts of the account are served. */
export interface ActingHolds {
  readonly edition: number;
  readonly sealedHintKey: Uint8Array | null;
  readonly holds: readonly ActingHoldRow[];
}

const bookRow = z.object({
  edition: z.number(),
  acts: z.enum(FORGET_SETTINGS),
  sealed_hint_key: bytes.nullable(),
});

export interface NewHold {
  readonly id: string;
  readonly scopeId: string;
  readonly requesterId: string;
  /** The request; null for a redaction with sources. */
  readonly messageId: string | null;
  readonly credentialId: string | null;
  readonly kind: HoldKind;
  readonly isActing: boolean;
  readonly sealedKey: Uint8Array;
  readonly values: readonly {
    readonly hash: string;
    readonly hint: number;
    readonly opensDoor: boolean;
    readonly isSpecific: boolean;
    readonly firstSaidAt: string | null;
    readonly isStated: boolean;
  }[];
}

const foundRow = z.object({
  id: z.string(),
  version: z.number(),
  kind: z.enum(HOLD_KINDS),
  state: z.enum(HOLD_STATES),
  is_acting: z.boolean(),
  scope_path: z.string(),
  requester_id: z.string().nullable(),
  requester_key: z.string().nullable(),
  value_count: z.number(),
  opened_at: z.string(),
  due_at: z.string(),
  is_overdue: z.boolean(),
  decided_at: z.string().nullable(),
});
export type FoundHold = z.infer<typeof foundRow>;

const FOUND = sql.fragment`select h.id, h.version, h.kind, h.state, h.is_acting, place.path as scope_path,
    h.requester_peer_id as requester_id, requester.key as requester_key,
    (select count(*) from masked_values v where v.account_id = h.account_id and v.hold_id = h.id) as value_count,
    h.opened_at, h.due_at, h.state = 'open' and h.due_at < clock_timestamp() as is_overdue, h.decided_at`;
/** A request that was said to some opens no hold that others know of. Of one that is erased nothing tells to whom it was said. */
function isKnownTo(peerId: string | null): FragmentSqlToken {
  const isAddressed =
    peerId === null
      ? sql.fragment`false`
      : sql.fragment`(m.speaker_peer_id = ${peerId}::uuid or is_addressed(m.account_id, m.audience_id, ${peerId}::uuid))`;
  return sql.fragment`not exists (
    select from messages m where m.account_id = h.account_id and m.id = h.message_id
      and m.audience_id is not null and not ${isAddressed})`;
}

const FOUND_FROM = sql.fragment`join scopes place on place.account_id = h.account_id and place.id = h.scope_id
    left join peers requester on requester.account_id = h.account_id and requester.id = h.requester_peer_id`;

export interface HoldPage {
  readonly scopeIds: readonly string[];
  readonly state: HoldState | null;
  /** The person who asks. */
  readonly peerId: string | null;
  readonly afterId: string | null;
  readonly limit: number;
}

const requestRow = z.object({
  credential_id: z.string(),
  trace_id: z.string(),
  recorded_at: z.string(),
});

const ownText = z.object({
  id: z.string(),
  text: z.string(),
  said_at: instant,
});
const ownTextsRow = z.object({ messages: z.array(ownText), statements: z.array(ownText) });
export type OwnTexts = z.output<typeof ownTextsRow>;
/** Texts by, and about, a requester that are looked through when a hold is opened; the pass looks through all. */
const MOST_OWN_TEXTS = 500;

const countRow = z.object({ of_requester: z.number(), of_credential: z.number() });

export class HoldsStore extends AccountStore {
  /**
   * Keeps everybody else from judging texts until the transaction ends, and waits for all who do. Before anything else is
   * locked.
   */
  async lock(): Promise<void> {
    await this.tx.query(sql.unsafe`
      select pg_advisory_xact_lock(hashtextextended('forgetting/' || ${this.accountId}::text, 0))`);
    await this.tx.query(sql.unsafe`
      select from accounts where id = ${this.accountId}::uuid for update`);
  }

  /** The edition in force, what acts at once, and the sealed key of the hints. */
  async book(): Promise<{
    readonly edition: number;
    readonly acts: ForgetSetting;
    readonly sealedHintKey: Uint8Array | null;
  }> {
    const row = await this.tx.maybeOne(sql.type(bookRow)`
      select edition, acts, encode(sealed_hint_key, 'hex') as sealed_hint_key from forget_books
      where account_id = ${this.accountId}::uuid`);
    if (row === null) return { edition: 0, acts: 'own', sealedHintKey: null };
    return { edition: row.edition, acts: row.acts, sealedHintKey: row.sealed_hint_key };
  }

  /** The holds by which texts are served, with all their values. */
  async acting(): Promise<ActingHolds> {
    const { edition, sealedHintKey } = await this.book();
    const rows = await this.tx.any(sql.type(actingRow)`
      select h.id, place.path as scope_path, h.requester_peer_id as requester_id, requester.key as requester_key,
        (h.kind = 'others' or h.state = 'upheld') as is_general,
        encode(h.sealed_key, 'hex') as sealed_key,
        (select coalesce(jsonb_agg(jsonb_build_object(
            'hash', encode(v.hash, 'hex'), 'hint', v.hint, 'opens_door', v.opens_door, 'is_specific', v.is_specific,
            'first_said_at', v.first_said_at, 'is_stated', v.is_stated)), '[]')
          from masked_values v where v.account_id = h.account_id and v.hold_id = h.id) as values
      from forget_holds h
      join scopes place on place.account_id = h.account_id and place.id = h.scope_id
      left join peers requester on requester.account_id = h.account_id and requester.id = h.requester_peer_id
      where h.account_id = ${this.accountId}::uuid and h.is_acting`);
    const holds = rows.map((row) => ({
      id: row.id,
      scopePath: row.scope_path,
      requesterIds:
        row.requester_id === null || row.requester_key === null
          ? []
          : [row.requester_id, peerOfKey(row.requester_key)],
      isGeneral: row.is_general,
      sealedKey: row.sealed_key,
      values: row.values,
    }));
    return { edition, sealedHintKey, holds };
  }

  /** Gives the account a new edition, which the transaction and all later ones judge by. The book is locked. */
  async change(sealedHintKey: Uint8Array | null = null): Promise<number> {
    const sealed = sealedHintKey === null ? null : asBytea(sealedHintKey);
    const edition = await this.tx.oneFirst(sql.type(z.object({ edition: z.number() }))`
      insert into forget_books as b (account_id, edition, sealed_hint_key)
      values (${this.accountId}::uuid, nextval('forget_editions'), ${sealed}::bytea)
      on conflict (account_id) do update set edition = excluded.edition,
        sealed_hint_key = coalesce(b.sealed_hint_key, excluded.sealed_hint_key)
      returning edition`);
    readEdition(this.tx, edition);
    return edition;
  }

  /** Which requests act before a person has decided. Holds that are open stay as they are. */
  async setActs(acts: ForgetSetting): Promise<void> {
    await this.tx.query(sql.unsafe`
      insert into forget_books (account_id, acts) values (${this.accountId}::uuid, ${acts}::forget_setting)
      on conflict (account_id) do update set acts = excluded.acts`);
  }

  /** Requests of the peer, and requests that the credential sent, which opened holds within a day. */
  async openedInADay(requesterId: string, credentialId: string | null) {
    const row = await this.tx.one(sql.type(countRow)`
      select (select count(distinct h.message_id) from forget_holds h where h.account_id = ${this.accountId}::uuid
          and h.requester_peer_id = ${requesterId}::uuid and h.opened_at > clock_timestamp() - interval '1 day') as of_requester,
        (select count(distinct h.message_id) from forget_holds h where h.account_id = ${this.accountId}::uuid
          and h.credential_id = ${credentialId}::uuid and h.opened_at > clock_timestamp() - interval '1 day') as of_credential`);
    return { ofRequester: row.of_requester, ofCredential: row.of_credential };
  }

  /** Whether the request has opened its holds: a message may be extracted again. */
  async isOpened(messageId: string): Promise<boolean> {
    return this.tx.exists(sql.unsafe`
      select from forget_holds where account_id = ${this.accountId}::uuid and message_id = ${messageId}::uuid`);
  }

  /** Who sent the request, in which trace, and when it came. */
  async requestOf(messageId: string) {
    const row = await this.tx.maybeOne(sql.type(requestRow)`
      select credential_id, trace_id, recorded_at from messages
      where account_id = ${this.accountId}::uuid and id = ${messageId}::uuid`);
    return row;
  }

  /** What the requester said, and what is said about the requester, at the scope and below: the newest of each. */
  async ownTexts(requesterId: string, path: ScopePath): Promise<OwnTexts> {
    const isThere = sql.fragment`(place.path = ${path} or ${path} = '/' or starts_with(place.path, ${path} || '/'))`;
    return this.tx.one(sql.type(ownTextsRow)`
      select (select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'said_at', m.recorded_at,
            'text', coalesce(m.unmasked, m.content))), '[]')
          from (select m.* from messages m where m.account_id = ${this.accountId}::uuid
            and m.speaker_peer_id = ${requesterId}::uuid order by m.id desc limit ${MOST_OWN_TEXTS}) m
          join scopes place on place.account_id = m.account_id and place.id = m.scope_id
          where ${isThere}) as messages,
        (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'said_at', coalesce(k.first_said_at, k.recorded_at),
            'text', coalesce(k.unmasked ->> 'statement', k.statement))), '[]')
          from (select k.* from knowledge k where k.account_id = ${this.accountId}::uuid
            and k.subject_peer_id = ${requesterId}::uuid and k.state not in ('redacted', 'retracted')
            order by k.recorded_at desc limit ${MOST_OWN_TEXTS}) k
          join scopes place on place.account_id = k.account_id and place.id = k.scope_id
          where ${isThere}) as statements`);
  }

  /** Has these served by what is in force now. The book is locked. */
  async serve(messageIds: readonly string[], statementIds: readonly string[]): Promise<void> {
    const judge = await judgeIn(this.tx, this.accountId);
    const statements = await readStatements(this.tx, this.accountId, statementIds);
    await serveStatements(this.tx, this.accountId, judge, statements);
    const messages = await readMessages(this.tx, this.accountId, messageIds);
    await serveMessages(this.tx, this.accountId, judge, messages);
  }

  /** Records what was done about the hold. */
  async record(
    action: 'opened' | 'upheld' | 'lifted' | 'refused' | 'narrowed' | 'read',
    actor: AuditActor,
    hold: { readonly id: string | null; readonly kind: HoldKind | null; readonly values: number },
  ): Promise<void> {
    await new AuditStore(this.tx, this.accountId).record({
      category: 'governance',
      action: `forget_hold.${action}`,
      actor,
      resourceType: 'forget_hold',
      resourceId: hold.id,
      metadata: { kind: hold.kind, values: hold.values },
    });
  }

  /** Writes the hold with its values. */
  async open(hold: NewHold): Promise<void> {
    await this.tx.query(sql.unsafe`
      insert into forget_holds (account_id, id, scope_id, requester_peer_id, message_id, credential_id, kind, is_acting, sealed_key,
        due_at)
      values (${this.accountId}::uuid, ${hold.id}::uuid, ${hold.scopeId}::uuid, ${hold.requesterId}::uuid,
        ${hold.messageId}::uuid, ${hold.credentialId}::uuid, ${hold.kind}::forget_kind, ${hold.isActing},
        ${asBytea(hold.sealedKey)}::bytea, clock_timestamp() + make_interval(hours => ${FORGET_DUE_HOURS}))`);
    const values = hold.values.map((value) => ({
      hash: value.hash,
      hint: value.hint,
      opens_door: value.opensDoor,
      is_specific: value.isSpecific,
      is_stated: value.isStated,
      first_said_at: value.firstSaidAt,
    }));
    await this.tx.query(sql.unsafe`
      insert into masked_values (account_id, hold_id, hash, hint, opens_door, is_specific, first_said_at, is_stated)
      select ${this.accountId}::uuid, ${hold.id}::uuid, decode(v.hash, 'hex'), v.hint, bool_or(v.opens_door),
        bool_or(v.is_specific), min(v.first_said_at), bool_or(v.is_stated)
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v (hash text, hint integer, opens_door boolean,
        is_specific boolean, first_said_at timestamptz, is_stated boolean)
      group by v.hash, v.hint`);
  }

  /** The hold, unless its request was said to others than the person who asks. */
  async findFor(id: string, peerId: string | null): Promise<FoundHold | null> {
    return this.tx.maybeOne(sql.type(foundRow)`${FOUND} from forget_holds h ${FOUND_FROM}
      where h.account_id = ${this.accountId}::uuid and h.id = ${id}::uuid and ${isKnownTo(peerId)}`);
  }

  /** A page of the holds of the scopes, the oldest first, which are due first. Reads as many of each scope as the page has. */
  async list({ afterId, limit, peerId, scopeIds, state }: HoldPage): Promise<readonly FoundHold[]> {
    const inState =
      state === null
        ? sql.fragment`true`
        : sql.fragment`h.state = ${sql.literalValue(state)}::forget_state`;
    return this.tx.any(sql.type(foundRow)`
      with picked as materialized (
        select h.* from unnest(${sql.array([...scopeIds], 'uuid')}) as wanted (id) cross join lateral (
          select h.* from forget_holds h
          where h.account_id = ${this.accountId}::uuid and h.scope_id = wanted.id and ${inState}
            and h.id > ${afterId ?? LEAST_ID}::uuid and ${isKnownTo(peerId)}
          order by h.id limit ${limit}
        ) h order by h.id limit ${limit}
      )
      ${FOUND} from picked h ${FOUND_FROM} order by h.id`);
  }

  /** The request as its speaker said it; null where there is none, or it is erased. */
  async wordsOf(id: string): Promise<string | null> {
    return this.tx.maybeOneFirst(sql.type(z.object({ words: z.string() }))`
      select coalesce(m.unmasked, m.content) as words from forget_holds h
      join messages m on m.account_id = h.account_id and m.id = h.message_id
      where h.account_id = ${this.accountId}::uuid and h.id = ${id}::uuid`);
  }

  /** Upholds or lifts it; false where it is so already. The book is locked, and gets a new edition. */
  async decide(id: string, state: 'upheld' | 'lifted', decidedBy: string | null): Promise<boolean> {
    const { rowCount } = await this.tx.query(sql.unsafe`
      update forget_holds set state = ${state}::forget_state, is_acting = ${state === 'upheld'}, version = version + 1,
        decided_at = clock_timestamp(), decided_by = ${decidedBy}::uuid
      where account_id = ${this.accountId}::uuid and id = ${id}::uuid and state <> ${state}::forget_state`);
    if (rowCount > 0) await this.change();
    return rowCount > 0;
  }

  /**
   * Of values of open own holds that others had said before: they are kept out of the requester's texts only. Answers how many changed;
   * the book is locked, and gets a new edition.
   */
  async narrow(values: readonly ForeignValue[]): Promise<number> {
    const { rowCount } = await this.tx.query(sql.unsafe`
      update masked_values v set opens_door = false
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as given ("holdId" uuid, hash text), forget_holds h
      where v.account_id = ${this.accountId}::uuid and v.hold_id = given."holdId" and v.hash = decode(given.hash, 'hex')
        and v.opens_door and h.account_id = v.account_id and h.id = v.hold_id and h.kind = 'own' and h.state = 'open'`);
    if (rowCount > 0) await this.change();
    return rowCount;
  }

  /** Enters a run that serves all texts by what is in force now, or joins one that waits to begin. */
  async enterPass(traceId: string): Promise<string> {
    const runs = new RunsStore(this.tx, this.accountId);
    return (await runs.lockWaiting('forgetting')) ?? runs.enter({ kind: 'forgetting', traceId });
  }
}
