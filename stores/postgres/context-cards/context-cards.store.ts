/** Context cards as rows: which ones a read may be answered from, and what a build makes of one. */
import { sql } from 'slonik';
import { z } from 'zod';
import {
  CONTEXT_CARD_KINDS,
  SUMMARY_MODES,
  type SummaryMode,
} from '../../../domain/context/kinds.ts';
import type { StoredContextCard, SummaryProvenance } from '../../../domain/context/parts.ts';
import { AccountStore } from '../account-store.ts';
import { waitsSince } from './waits-since.ts';
import type { ContextCardPlace } from './work.store.ts';

/** One context card of a place: the name of an entity card, or the empty text. */
export interface ContextCardKey extends ContextCardPlace {
  readonly entity: string;
}

export interface BuiltContextCard extends ContextCardKey {
  readonly entityKind: 'person' | null;
  readonly label: string | null;
  readonly sources: readonly { readonly id: string; readonly version: number }[];
  readonly sourceTotal: number;
  readonly saidSince: string | null;
  /** `unavailable`: one is to be asked for. */
  readonly summaryMode: Extract<SummaryMode, 'none' | 'unavailable'>;
}

/** A context card that waits for its summary. */
export interface WaitingSummary extends ContextCardKey {
  readonly revision: number;
  readonly sourceIds: readonly string[];
}

export interface WrittenSummary {
  readonly text: string;
  readonly mode: Extract<SummaryMode, 'model' | 'source_extract'>;
  readonly provenance: SummaryProvenance;
}

/** The readers of context cards: in each scope of the chain the peer that reads there. */
export interface ContextCardRead {
  readonly readers: readonly { readonly scopeId: string; readonly peerId: string }[];
  /** As given with observations; null for no summary of a session. */
  readonly sessionId: string | null;
  /** A place that has waited so long to be built is late. */
  readonly lateSeconds: number;
}

/** A place that readers may be answered from, with one of its context cards. */
export interface ReadPlace extends ContextCardPlace {
  /** Null: nothing is built there. */
  readonly stored: StoredContextCard | null;
  /** Whether it is marked to be built, and whether it has waited long. */
  readonly waits: 'no' | 'yes' | 'late';
}

/** After a summary was asked for, the next one of the card waits so long: a card that changes all the time costs one call a minute. */
const BETWEEN_SUMMARIES_SECONDS = 60;
const LEASE_SECONDS = 180;
const FIRST_RETRY_SECONDS = 60;
const LONGEST_RETRY_SECONDS = 3_600;
/** Attempts to have a summary; then the next build begins anew. */
export const MOST_SUMMARY_ATTEMPTS = 8;

/** A place, and a context card of it: without one, its columns are null. */
const readRow = z.object({
  kind: z.enum(CONTEXT_CARD_KINDS),
  scope_id: z.string(),
  scope_path: z.string(),
  target_id: z.string(),
  waits: z.enum(['no', 'yes', 'late']),
  label: z.string().nullable(),
  entity_kind: z.literal('person').nullable(),
  source_ids: z.array(z.string()).nullable(),
  source_versions: z.array(z.number()).nullable(),
  source_total: z.number().nullable(),
  summary: z.string().nullable(),
  summary_mode: z.enum(SUMMARY_MODES).nullable(),
  summary_provider: z.string().nullable(),
  summary_model: z.string().nullable(),
  summary_model_version: z.string().nullable(),
  summary_prompt_version: z.string().nullable(),
});

const driftRow = z.object({
  present: z.int(),
  /** Made of statements that are no more, and not marked. */
  orphans: z.int(),
  /** Made of another version of a statement, and not marked. */
  stale: z.int(),
  /** Marked: to be built again. */
  pending: z.int(),
});
export type ContextCardDrift = z.infer<typeof driftRow>;

const waitingRow = z.object({
  kind: z.enum(CONTEXT_CARD_KINDS),
  scope_id: z.string(),
  target_id: z.string(),
  entity: z.string(),
  revision: z.number(),
  source_ids: z.array(z.string()),
});

type ReadRow = z.infer<typeof readRow>;

function provenanceOf(row: ReadRow): SummaryProvenance | null {
  if (row.summary_provider === null || row.summary === null) return null;
  return {
    provider: row.summary_provider,
    model: row.summary_model,
    modelVersion: row.summary_model_version,
    promptVersion: row.summary_prompt_version,
  };
}

function storedOf(row: ReadRow): StoredContextCard | null {
  const { source_ids: ids, source_total: sourceTotal, source_versions: versions } = row;
  if (ids === null || versions === null || sourceTotal === null || row.summary_mode === null)
    return null;
  return {
    kind: row.kind,
    scopeId: row.scope_id,
    scopePath: row.scope_path,
    targetId: row.target_id,
    label: row.label,
    entityKind: row.entity_kind,
    sources: ids.map((id, at) => ({ id, version: versions[at] ?? 0 })),
    sourceTotal,
    summary: row.summary,
    summaryMode: row.summary_mode,
    summaryProvenance: provenanceOf(row),
  };
}

const toPlace = (row: ReadRow): ReadPlace => ({
  kind: row.kind,
  scopeId: row.scope_id,
  targetId: row.target_id,
  stored: storedOf(row),
  waits: row.waits,
});

/** Whether the row `p` is the one of the key. */
function isOf(accountId: string, { entity, kind, scopeId, targetId }: ContextCardKey) {
  return sql.fragment`p.account_id = ${accountId}::uuid and p.kind = ${kind}::projection_kind
    and p.scope_id = ${scopeId}::uuid and p.target_id = ${targetId}::uuid and p.entity = ${entity}`;
}

/** Context cards of the account. */
export class ContextCardsStore extends AccountStore {
  /**
   * Where the readers may be answered from, scopes in the order given, and what is built there: cards of the scopes and
   * their names, the profile of each reader, and of the session the summary in the nearest scope where the reader takes
   * part and was there when the first of its messages was recorded. Their sources are to be read through the predicate.
   */
  async ofReaders({
    lateSeconds,
    readers,
    sessionId,
  }: ContextCardRead): Promise<readonly ReadPlace[]> {
    const { accountId } = this;
    const scopeIds = readers.map(({ scopeId }) => scopeId);
    const peerIds = readers.map(({ peerId }) => peerId);
    const rows = await this.tx.any(sql.type(readRow)`
      with reader as materialized (
        select r.scope_id, r.peer_id, r.nth
        from unnest(${sql.array(scopeIds, 'uuid')}, ${sql.array(peerIds, 'uuid')})
          with ordinality as r (scope_id, peer_id, nth)
      ), place as materialized (
        (select 'session_summary'::projection_kind as kind, reader.scope_id, s.id as target_id, reader.nth
          from sessions s cross join reader
          join projections p on p.account_id = s.account_id and p.kind = 'session_summary'
            and p.scope_id = reader.scope_id and p.target_id = s.id
          join session_participants a on a.account_id = s.account_id and a.session_id = s.id
            and a.scope_id = reader.scope_id and a.peer_id = reader.peer_id
          where s.account_id = ${accountId}::uuid and s.external_id = ${sessionId}
            and (a.reads_whole_session or a.joined_at <= p.said_since)
          order by reader.nth desc limit 1)
        union all select 'peer_profile', reader.scope_id, reader.peer_id, reader.nth from reader
        union all select 'scope_card', reader.scope_id, reader.scope_id, reader.nth from reader
        union all select 'entity_card', reader.scope_id, reader.scope_id, reader.nth from reader
      ), waiting as materialized (
        select p.*, ${waitsSince(accountId)} as since from place p
      )
      select w.kind, w.scope_id, scope.path as scope_path, w.target_id,
        case when w.since is null then 'no'
          when w.since < clock_timestamp() - make_interval(secs => ${lateSeconds}::float8) then 'late'
          else 'yes' end as waits,
        p.label, p.entity_kind, p.source_ids, p.source_versions, p.source_total, p.summary, p.summary_mode,
        p.summary_provider, p.summary_model, p.summary_model_version, p.summary_prompt_version
      from waiting w
      join scopes scope on scope.account_id = ${accountId}::uuid and scope.id = w.scope_id
      left join projections p on p.account_id = ${accountId}::uuid and p.kind = w.kind
        and p.scope_id = w.scope_id and p.target_id = w.target_id
      order by w.kind, w.nth, p.source_total desc, p.label collate "C", p.entity collate "C"`);
    return rows.map(toPlace);
  }

  /** The names of the scope that have a card. */
  async namesWithCards(scopeId: string): Promise<readonly string[]> {
    return this.tx.anyFirst(sql.type(z.object({ entity: z.string() }))`
      select p.entity from projections p
      where p.account_id = ${this.accountId}::uuid and p.kind = 'entity_card' and p.scope_id = ${scopeId}::uuid
        and p.target_id = ${scopeId}::uuid`);
  }

  /** Answers how many there were. */
  async remove(key: ContextCardKey): Promise<number> {
    const { rowCount } = await this.tx.query(
      sql.unsafe`delete from projections p where ${isOf(this.accountId, key)}`,
    );
    return rowCount;
  }

  /**
   * Makes the context card what was built; answers whether its sources have changed. One that has the same sources keeps its
   * summary and its place in the queue of summaries, and nothing is written where nothing differs.
   */
  async write(built: BuiltContextCard): Promise<boolean> {
    const { entity, entityKind, kind, label, saidSince, scopeId, sourceTotal, sources, targetId } =
      built;
    const due = sql.fragment`case when ${built.summaryMode}::summary_mode = 'unavailable' then greatest(
      clock_timestamp(), old.summary_asked_at + make_interval(secs => ${BETWEEN_SUMMARIES_SECONDS})) end`;
    const rows = await this.tx.any(sql.type(z.object({ changed: z.boolean() }))`
      insert into projections as old (account_id, kind, scope_id, target_id, entity, entity_kind, label, source_ids,
        source_versions, source_total, said_since, summary_mode, summary_due_at)
      values (${this.accountId}::uuid, ${kind}::projection_kind, ${scopeId}::uuid, ${targetId}::uuid, ${entity},
        ${entityKind}, ${label}, ${sql.array(
          sources.map(({ id }) => id),
          'uuid',
        )}, ${sql.array(
          sources.map(({ version }) => version),
          'int8',
        )}, ${sourceTotal}, ${saidSince}::timestamptz, ${built.summaryMode}::summary_mode,
        case when ${built.summaryMode}::summary_mode = 'unavailable' then clock_timestamp() end)
      on conflict (account_id, kind, scope_id, target_id, entity) do update set
        entity_kind = excluded.entity_kind, label = excluded.label, source_ids = excluded.source_ids,
        source_versions = excluded.source_versions, source_total = excluded.source_total,
        said_since = excluded.said_since, summary = null, summary_mode = excluded.summary_mode,
        summary_provider = null, summary_model = null, summary_model_version = null, summary_prompt_version = null,
        revision = nextval('dirty_mark_generations'), built_at = clock_timestamp(), summary_due_at = ${due},
        summary_attempts = 0
      where (old.source_ids, old.source_versions, old.label, old.entity_kind, old.said_since,
          old.summary_mode = 'none')
        is distinct from (excluded.source_ids, excluded.source_versions, excluded.label, excluded.entity_kind,
          excluded.said_since, excluded.summary_mode = 'none')
      returning true as changed`);
    if (rows.length > 0) return true;
    await this.tx.query(sql.unsafe`
      update projections p set source_total = ${sourceTotal}
      where ${isOf(this.accountId, built)} and p.source_total <> ${sourceTotal}`);
    return false;
  }

  /** How the context cards of the account stand to their sources: for an operator who verifies, all are of use. */
  async drift(): Promise<ContextCardDrift> {
    return this.tx.one(sql.type(driftRow)`
      select count(*) as present, count(*) filter (where not is_pending and orphaned) as orphans,
        count(*) filter (where not is_pending and not orphaned and aged) as stale,
        count(*) filter (where is_pending) as pending
      from projections p
      cross join lateral (
        select bool_or(k.id is null) as orphaned, bool_or(k.row_version <> source.version) as aged
        from unnest(p.source_ids, p.source_versions) as source (id, version)
        left join knowledge k on k.account_id = p.account_id and k.id = source.id) sources
      cross join lateral (
        select exists (select from projection_marks m where m.account_id = p.account_id
            and m.target_id = p.target_id and m.scope_id = p.scope_id and m.kind = p.kind)
          or exists (select from projection_work w where w.account_id = p.account_id
            and w.target_id = p.target_id and w.scope_id = p.scope_id and w.kind = p.kind) as is_pending) work
      where p.account_id = ${this.accountId}::uuid`);
  }

  /** Takes context cards whose summary is due: each counts an attempt and is put off, in the caller's transaction. */
  async takeSummaries(limit: number): Promise<readonly WaitingSummary[]> {
    const rows = await this.tx.any(sql.type(waitingRow)`
      update projections p
      set summary_attempts = p.summary_attempts + 1, summary_asked_at = clock_timestamp(),
        summary_due_at = case when p.summary_attempts + 1 < ${MOST_SUMMARY_ATTEMPTS}
          then clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}) end
      from (
        select d.kind, d.scope_id, d.target_id, d.entity from projections d
        where d.account_id = ${this.accountId}::uuid and d.summary_due_at <= clock_timestamp()
        order by d.summary_due_at limit ${limit} for update skip locked
      ) due
      where p.account_id = ${this.accountId}::uuid and p.kind = due.kind and p.scope_id = due.scope_id
        and p.target_id = due.target_id and p.entity = due.entity
      returning p.kind, p.scope_id, p.target_id, p.entity, p.revision, p.source_ids`);
    return rows.map((row) => ({
      kind: row.kind,
      scopeId: row.scope_id,
      targetId: row.target_id,
      entity: row.entity,
      revision: row.revision,
      sourceIds: row.source_ids,
    }));
  }

  /** Keeps the summary, if the context card still has the sources that it was made from. */
  async keepSummary(waiting: WaitingSummary, { mode, provenance, text }: WrittenSummary) {
    await this.tx.query(sql.unsafe`
      update projections p
      set summary = ${text}, summary_mode = ${mode}::summary_mode, summary_provider = ${provenance.provider},
        summary_model = ${provenance.model}, summary_model_version = ${provenance.modelVersion},
        summary_prompt_version = ${provenance.promptVersion}, summary_due_at = null, summary_attempts = 0
      where ${isOf(this.accountId, waiting)} and p.revision = ${waiting.revision}`);
  }

  /** Puts the summary off until calls are let through: no call was made, so there was no attempt. */
  async holdSummary(waiting: WaitingSummary, afterMs: number): Promise<void> {
    await this.tx.query(sql.unsafe`
      update projections p
      set summary_due_at = clock_timestamp() + make_interval(secs => ${afterMs / 1_000}),
        summary_attempts = greatest(p.summary_attempts - 1, 0)
      where ${isOf(this.accountId, waiting)} and p.revision = ${waiting.revision}`);
  }

  /** Puts the summary off after a failure: a minute, doubling to an hour. */
  async postponeSummary(waiting: WaitingSummary): Promise<void> {
    await this.tx.query(sql.unsafe`
      update projections p
      set summary_due_at = clock_timestamp() + make_interval(secs => least(${LONGEST_RETRY_SECONDS}::float8,
        ${FIRST_RETRY_SECONDS}::float8 * 2::float8 ^ (p.summary_attempts - 1)))
      where ${isOf(this.accountId, waiting)} and p.revision = ${waiting.revision} and p.summary_due_at is not null`);
  }
}
