/**
 * Anchors that a drain holds: what extraction needs to know of them, and their last step. The epoch of the hold
 * fences every effect: a drain with an older epoch reads and writes nothing.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { WINDOW_MESSAGES } from '../../../domain/extraction/batching.ts';
import { NON_EVIDENCE_ROLES } from '../../../domain/observations/roles.ts';
import { completeAnchors, failAnchors, isHeld, type Hold } from './anchor-ends.ts';
import { isNotErasing } from '../visibility/erasing.ts';
import { isDatabaseGone } from '../errors.ts';
import { createGroupCommit, WITHOUT_LOCKS } from '../group-commit.ts';
import { wasThere } from '../visibility/messages.ts';
import { principalsOf } from '../visibility/audiences.ts';
import { placedScope } from '../scopes/placed-scope.ts';
import { PoolStore } from '../pool-store.ts';
import { withAccount, type Queryable } from '../pool.ts';

/** Timestamps inside JSON come in Postgres' own spelling. */
const instant = z.string().transform((text) => new Date(text).toISOString());

const anchorShape = z.object({
  message_id: z.string(),
  /** Of settled attempts: neither this one nor those of lost drains. */
  attempt_count: z.number(),
  internal_errors: z.number(),
  lost_holds: z.number(),
  extracted: z.boolean(),
  /** Statements that an earlier drain committed for it. */
  output_ids: z.array(z.string()),
  /** Oldest first. */
  window_ids: z.array(z.string()),
});

const messageShape = z.object({
  id: z.string(),
  session_id: z.string(),
  scope_id: z.string(),
  speaker_id: z.string(),
  speaker_key: z.string(),
  speaker_name: z.string(),
  relay_id: z.string().nullable(),
  /** Whom it is for; null for whoever may read it where it was said. */
  audience: z.object({ id: z.string(), principals: z.array(z.string()) }).nullable(),
  role: z.string(),
  content: z.string(),
  content_hash: z.string(),
  occurred_at: instant,
  /** The same, but never more than a day after the receipt: what sayings are compared by. */
  said_at: instant,
  occurred_offset_minutes: z.number(),
  trace_id: z.string(),
  /** Of a chunk: its document, and where in it the chunk stands. */
  document: z
    .object({
      id: z.string(),
      title: z.string().nullable(),
      headings: z.string().nullable(),
      /** Whether a later version has taken its place: then it says nothing any more. */
      replaced: z.boolean(),
    })
    .nullable(),
});

const participantShape = z.object({
  session_id: z.string(),
  scope_id: z.string(),
  peer_id: z.string(),
  key: z.string(),
  name: z.string(),
  kind: z.enum(['human', 'agent']),
});

const readerShape = z.object({
  session_id: z.string(),
  scope_id: z.string(),
  peer_id: z.string(),
  message_ids: z.array(z.string()),
});

const pathShape = z.object({ scope_id: z.string(), path: z.string() });

const batchRow = z.object({
  anchors: z.array(anchorShape),
  messages: z.array(messageShape),
  participants: z.array(participantShape),
  readers: z.array(readerShape),
  scopes: z.array(placedScope),
  paths: z.array(pathShape),
});

const namedRow = z.object({
  message_id: z.string(),
  peer_id: z.string(),
  key: z.string(),
  name: z.string(),
});

export type MessageRow = z.output<typeof messageShape>;
export type ParticipantRow = z.output<typeof participantShape>;
/**
 * `messages` holds the anchors and their windows once each. `readers` says which of them the speaker of an anchor
 * could read, in the anchor's session and scope. `scopes` holds every scope of their chains, and `paths` the paths of
 * the anchors' own scopes.
 */
export type BatchRows = z.output<typeof batchRow> & {
  /** People of the account with a key or name that occurs in a chunk of the batch; word boundaries are not checked. */
  readonly named: readonly z.output<typeof namedRow>[];
};

/** Which of the messages `shown` each speaker of `anchor` could read, in the session and scope in which it spoke. */
const READABLE = sql.fragment`
  reader as (
    select distinct account_id, session_id, scope_id, speaker_peer_id as peer_id from anchor
    where is_evidence and not extracted and not is_chunk
  ), readable as (
    select reader.session_id, reader.scope_id, reader.peer_id, jsonb_agg(shown.id) as message_ids
    from reader join shown on shown.account_id = reader.account_id
      and shown.session_id = reader.session_id and shown.scope_id = reader.scope_id
    where ${wasThere(sql.fragment`reader.peer_id`, 'shown')}
    group by 1, 2, 3
  )`;

/**
 * Participants of a session that an extraction is told of, the first who joined, besides those who speak in what it
 * reads. Each one adds to the cost of every observation of the session, because a model is shown them all.
 */
const MOST_PARTICIPANTS = 100;

/**
 * Most people that one chunk is compared with: of more, the ones that the account has known longest. So many people
 * share the first words of their names only where the names were made for that.
 */
const MOST_NAMED_PER_CHUNK = 200;

/**
 * A document has no participants, and it may name any person of the account. The words of a chunk find people through
 * an index of the beginnings of their names and keys, however many people the account has.
 */
async function loadNamed(tx: Queryable, messageIds: readonly string[]) {
  if (messageIds.length === 0) return [];
  return tx.any(sql.type(namedRow)`
    select m.id as message_id, p.id as peer_id, p.key, p.name
    from messages m
    cross join lateral (
      select distinct p.id, p.key, p.name
      from unnest(text_leads(concat_ws(e'\n', m.headings, m.content))) as said (lead)
      cross join lateral (
        (select p.id, p.key, p.name from peers p
          where p.account_id = m.account_id and p.kind = 'human' and p.name_lead = said.lead and p.erasing_at is null
          order by p.id limit ${MOST_NAMED_PER_CHUNK})
        union all
        (select p.id, p.key, p.name from peers p
          where p.account_id = m.account_id and p.kind = 'human' and p.key_lead = said.lead and p.erasing_at is null
          order by p.id limit ${MOST_NAMED_PER_CHUNK})
      ) p
      order by p.id limit ${MOST_NAMED_PER_CHUNK}
    ) p
    where m.id = any(${sql.array(messageIds, 'uuid')})
      and exists (
        select from unnest(array[p.name, p.key]) as form
        where strpos(lower(concat_ws(e'\n', m.headings, m.content)), lower(form)) > 0)
    order by m.id, p.id`);
}

/** Whether the speaker of a message or of an anchor is not being erased: an extractor is shown nothing that goes. */
const isPresent = (alias: 'a' | 'e'): FragmentSqlToken =>
  isNotErasing(
    sql.fragment`${sql.identifier([alias, 'account_id'])}`,
    sql.fragment`${sql.identifier([alias, 'speaker_peer_id'])}`,
  );

/** The messages that are shown. A chunk comes with its document and the headings above it. */
const SHOWN_MESSAGES = sql.fragment`
  select coalesce(jsonb_agg(jsonb_build_object(
      'id', m.id, 'session_id', m.session_id, 'scope_id', m.scope_id, 'speaker_id', p.id,
      'speaker_key', p.key, 'speaker_name', p.name, 'relay_id', m.relay_peer_id, 'role', m.role,
      'audience', case when m.audience_id is not null then jsonb_build_object(
        'id', m.audience_id, 'principals', ${principalsOf('m')}) end,
      'content', m.content, 'content_hash', encode(m.content_hash, 'hex'),
      'occurred_at', m.occurred_at, 'said_at', said_at(m.occurred_at, m.recorded_at),
      'occurred_offset_minutes', m.occurred_offset_minutes,
      'trace_id', m.trace_id, 'document', case when v.id is not null then jsonb_build_object(
        'id', v.document_id, 'title', v.title, 'headings', m.headings,
        'replaced', exists (select from document_versions later
          where later.account_id = v.account_id and later.document_id = v.document_id
            and later.version > v.version)) end)), '[]')
    from shown m
    join peers p on p.account_id = m.account_id and p.id = m.speaker_peer_id
    left join document_versions v on v.account_id = m.account_id and v.id = m.document_version_id`;

/** Participants that an extraction is told of: the first who joined the session, and the speakers of `shown`. */
const PARTICIPANTS = sql.fragment`
  select coalesce(jsonb_agg(jsonb_build_object(
      'session_id', a.session_id, 'scope_id', a.scope_id, 'peer_id', p.id, 'key', p.key,
      'name', p.name, 'kind', p.kind) order by a.joined_at, p.id), '[]')
    from (select distinct account_id, session_id, scope_id from anchor) place
    cross join lateral (
      (select a.* from session_participants a
        where a.account_id = place.account_id and a.session_id = place.session_id
          and a.scope_id = place.scope_id and ${isNotErasing(sql.fragment`a.account_id`, sql.fragment`a.peer_id`)}
        order by a.joined_at, a.peer_id limit ${MOST_PARTICIPANTS})
      union
      (select a.* from shown
        join session_participants a on a.account_id = shown.account_id
          and a.session_id = shown.session_id and a.scope_id = shown.scope_id
          and a.peer_id = shown.speaker_peer_id
        where shown.session_id = place.session_id and shown.scope_id = place.scope_id)
    ) a
    join peers p on p.account_id = a.account_id and p.id = a.peer_id`;

async function loadBatch(tx: Queryable, holds: readonly Hold[]): Promise<BatchRows> {
  const batch = await loadMessages(tx, holds);
  const chunks = batch.messages.filter(({ document }) => document !== null);
  return {
    ...batch,
    named: await loadNamed(
      tx,
      chunks.map(({ id }) => id),
    ),
  };
}

function loadMessages(tx: Queryable, holds: readonly Hold[]): Promise<z.output<typeof batchRow>> {
  return tx.one(sql.type(batchRow)`
    with recursive anchor as materialized (
      select a.account_id, a.message_id, a.extracted_at is not null as extracted,
        case when a.extracted_at is null then a.attempt_count - a.unsettled_attempts else a.attempt_count end
          as attempt_count,
        a.internal_errors, greatest(0, a.unsettled_attempts - 1) as lost_holds,
        m.session_id, m.scope_id, m.speaker_peer_id, m.occurred_at, m.recorded_at,
        lower(m.role) <> all(${sql.array(NON_EVIDENCE_ROLES, 'text')}) as is_evidence,
        m.document_version_id is not null as is_chunk
      from extraction_anchors a
      join messages m on m.account_id = a.account_id and m.id = a.message_id
      where ${isHeld(sql.fragment`a`, holds)} and a.status in ('pending', 'failed') and ${isPresent('a')}
    ), earlier as materialized (
      select anchor.message_id as anchor_id, e.id, e.place
      from anchor
      join messages m on m.account_id = anchor.account_id and m.id = anchor.message_id
      cross join lateral window_before(m, ${WINDOW_MESSAGES}) e
      where anchor.is_evidence and not anchor.extracted and not anchor.is_chunk
    ), needed as (
      select message_id as id from anchor union select id from earlier
    ), shown as materialized (
      select m.* from needed join messages m on m.id = needed.id
    ), chain as (
      select s.id, s.parent_id from scopes s where s.id in (select scope_id from anchor)
      union
      select s.id, s.parent_id from scopes s join chain on s.id = chain.parent_id
    ), ${READABLE}
    select
      (select coalesce(jsonb_agg(jsonb_build_object(
          'message_id', anchor.message_id, 'attempt_count', anchor.attempt_count,
          'internal_errors', anchor.internal_errors, 'lost_holds', anchor.lost_holds,
          'extracted', anchor.extracted,
          'window_ids', (select coalesce(jsonb_agg(w.id order by w.place), '[]') from earlier w
            where w.anchor_id = anchor.message_id),
          'output_ids', case when anchor.extracted then
            (select coalesce(jsonb_agg(distinct o.knowledge_id), '[]') from run_outputs o
              where o.account_id = anchor.account_id and o.message_id = anchor.message_id
                and o.effect <> 'refused')
            else '[]'::jsonb end)), '[]') from anchor) as anchors,
      (${SHOWN_MESSAGES}) as messages,
      (${PARTICIPANTS}) as participants,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'session_id', r.session_id, 'scope_id', r.scope_id, 'peer_id', r.peer_id,
          'message_ids', r.message_ids)), '[]') from readable r) as readers,
      (select coalesce(jsonb_agg(to_jsonb(chain)), '[]') from chain) as scopes,
      (select coalesce(jsonb_agg(jsonb_build_object('scope_id', s.id, 'path', s.path)), '[]')
        from scopes s where s.id in (select scope_id from anchor)) as paths`);
}

/** An anchor that is read with its window. */
export interface SizedHold extends Hold {
  /** Of the message and its window. */
  readonly bytes: number;
}

/** Anchors that are read together, and parsed in one stretch of the event loop. */
const MOST_LOADED_TOGETHER = 64;
const MOST_BYTES_LOADED_TOGETHER = 4 * 1_048_576;

function joined(rows: readonly BatchRows[]): BatchRows {
  const [first, ...rest] = rows;
  if (first !== undefined && rest.length === 0) return first;
  return {
    anchors: rows.flatMap(({ anchors }) => anchors),
    messages: rows.flatMap(({ messages }) => messages),
    participants: rows.flatMap(({ participants }) => participants),
    readers: rows.flatMap(({ readers }) => readers),
    scopes: rows.flatMap(({ scopes }) => scopes),
    paths: rows.flatMap(({ paths }) => paths),
    named: rows.flatMap(({ named }) => named),
  };
}

/** Anchors that drains hold. */
export class AnchorsStore extends PoolStore {
  /** Batches of an account that begin at about the same time are read together. */
  readonly #loadTogether;

  constructor(db: Queryable) {
    super(db);
    this.#loadTogether = createGroupCommit<SizedHold, BatchRows>({
      ...WITHOUT_LOCKS,
      run: async (accountId, holds) => {
        const rows = await withAccount(db, accountId, (tx) => loadBatch(tx, holds));
        return holds.map(() => rows);
      },
      bytesOf: ({ bytes }) => bytes,
      // Also what cannot be parsed is found by halving.
      isOfItem: (error) => !isDatabaseGone(error),
      // The transaction waits for its turn itself.
      inTurn: (_accountId, work) => work(),
      mostItems: MOST_LOADED_TOGETHER,
      mostBytes: MOST_BYTES_LOADED_TOGETHER,
    });
  }

  /** What the drains still hold of these anchors, and perhaps of others; the first failure if one cannot be read. */
  async load(accountId: string, holds: readonly SizedHold[]): Promise<BatchRows> {
    const rows = new Set<BatchRows>();
    for (const answer of await this.#loadTogether(accountId, holds)) {
      if (answer.status === 'rejected') throw answer.reason;
      rows.add(answer.value);
    }
    return joined([...rows]);
  }

  /** Completes extracted anchors that their drains still hold; answers which. */
  complete(accountId: string, holds: readonly Hold[]): Promise<readonly string[]> {
    return withAccount(this.db, accountId, (tx) => completeAnchors(tx, holds));
  }

  /** Settles anchors as failed by a defect of ours (`failAnchors`); answers how. */
  fail(
    accountId: string,
    epoch: number,
    messageIds: readonly string[],
  ): Promise<readonly ('failed' | 'terminal')[]> {
    return withAccount(this.db, accountId, (tx) => failAnchors(tx, epoch, messageIds));
  }
}
