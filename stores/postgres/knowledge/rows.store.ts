/**
 * Reading statements. This file holds the one SQL form of the visibility predicate and of "who was there":
 * every row that leaves the service, whichever index found it, is read through `KnowledgeStore.read`.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import {
  NOTHING,
  type ChainReader,
  type Condition,
} from '../../../domain/governance/visibility.ts';
import type { ScopedReader } from '../../../domain/governance/scoped-reader.ts';
import { walksOf } from '../../../domain/governance/walks.ts';
import {
  BELIEVED_COLUMNS,
  SHOWN_COLUMNS,
  type StatementColumn,
} from '../../../domain/knowledge/columns.ts';
import { columnsOf } from '../columns.ts';
import { rowShape } from './columns.ts';
import { renderWalks, walking } from './walks.ts';
import { listedSources } from './listed-sources.ts';
import type { ListPlace } from '../../../domain/retrieval/list-place.ts';
import { isNoneOfErasing, isNotErasing } from '../erasure/erasing.ts';
import { AccountStore } from '../account-store.ts';
import { isOpen } from '../scopes/open-scopes.ts';

export type SqlFragment = FragmentSqlToken;

const column = (alias: string, name: string) => sql.identifier([alias, name]);

/** The statements that a query looks at, where it names all of them. */
export interface LookedAt {
  readonly accountId: string;
  readonly ids: readonly string[];
}

/**
 * The predicate as a boolean SQL expression over two aliases: `k`, the `knowledge` row, for what is judged as
 * of today (subject, submitters, expiry), and `values`, for what belief says (scope, state, sensitivity,
 * level). Both are the same row unless a past belief is read. `lookedAt` bounds what is read for it.
 */
export function renderVisibility(
  condition: Condition,
  k = 'k',
  values = k,
  lookedAt: LookedAt | null = null,
): SqlFragment {
  const render = (part: Condition) => renderVisibility(part, k, values, lookedAt);
  if ('all' in condition) {
    return joined(condition.all.map(render), sql.fragment` and `, sql.fragment`true`);
  }
  if ('any' in condition) {
    return joined(condition.any.map(render), sql.fragment` or `, sql.fragment`false`);
  }
  return condition.field === 'submitting_peer_ids'
    ? isSubmittedBy(condition.contains, k, lookedAt)
    : renderColumn(condition, k, values);
}

type OfColumn = Exclude<
  Extract<Condition, { readonly field: string }>,
  { readonly field: 'submitting_peer_ids' }
>;

function renderColumn(condition: OfColumn, k: string, values: string): SqlFragment {
  switch (condition.field) {
    case 'scope_id':
      return sql.fragment`${column(values, 'scope_id')} = any(${sql.array(condition.in, 'uuid')})`;
    case 'state':
      return anyOf(values, 'state', 'knowledge_state', condition.in);
    case 'ever_state':
      return sql.fragment`exists (
        select from belief_periods past
        where past.account_id = ${column(k, 'account_id')}
          and past.knowledge_id = ${column(k, 'id')}
          and ${anyOf('past', 'state', 'knowledge_state', condition.in)})`;
    case 'sensitivity':
      return anyOf(values, 'sensitivity', 'sensitivity', condition.in);
    case 'target_level':
      return anyOf(values, 'target_level', 'target_level', condition.in);
    case 'subject_peer_id':
      return 'is' in condition
        ? sql.fragment`${column(k, 'subject_peer_id')} is not distinct from ${condition.is}::uuid`
        : sql.fragment`${column(k, 'subject_peer_id')} is null`;
    case 'expires_at':
      return sql.fragment`(${column(k, 'expires_at')} is null
        or ${column(k, 'expires_at')} > ${condition.nullOrAfter}::timestamptz)`;
  }
}

function anyOf(alias: string, name: string, type: string, words: readonly string[]): SqlFragment {
  return sql.fragment`${column(alias, name)}
    = any(${sql.array(words, 'text')}::${sql.identifier([type])}[])`;
}

function joined(parts: readonly SqlFragment[], glue: SqlFragment, empty: SqlFragment): SqlFragment {
  return parts.length === 0 ? empty : sql.fragment`(${sql.join(parts, glue)})`;
}

/**
 * Whether the peer submitted it. Of many statements the planner makes one look: at all that the peer ever submitted,
 * unless the query says which statements it looks at.
 */
function isSubmittedBy(peerId: string, k: string, lookedAt: LookedAt | null): SqlFragment {
  return lookedAt === null
    ? sql.fragment`exists (
        select from knowledge_submitters submitter
        where submitter.account_id = ${column(k, 'account_id')}
          and submitter.knowledge_id = ${column(k, 'id')}
          and submitter.peer_id = ${peerId}::uuid)`
    : sql.fragment`${column(k, 'id')} in (
        select submitter.knowledge_id from knowledge_submitters submitter
        where submitter.account_id = ${lookedAt.accountId}::uuid
          and submitter.knowledge_id = any(${sql.array(lookedAt.ids, 'uuid')})
          and submitter.peer_id = ${peerId}::uuid)`;
}

/**
 * Whether the reader may read the message `m`: it was there when the message was said, and may read the scope that it
 * was said in now.
 */
export function renderMessageReadable(scoped: ScopedReader, m = 'm'): SqlFragment {
  const { openings, reader, scopeIds } = scoped;
  const isOfRequest = sql.fragment`${column(m, 'scope_id')} = any(${sql.array(scopeIds, 'uuid')})`;
  const isElsewhere =
    openings === undefined
      ? sql.fragment`false`
      : sql.fragment`exists (
          select from scopes said_in
          where said_in.account_id = ${column(m, 'account_id')} and said_in.id = ${column(m, 'scope_id')}
            and ${isOpen(sql.fragment`said_in.path`, openings)})`;
  return sql.fragment`((${isOfRequest} or ${isElsewhere}) and ${renderWasThere(reader, m)})`;
}

/**
 * Whether the reader was there when the message was said: as the speaker, as the relay, or as a participant of the
 * session in that scope (from the moment of joining, unless a relaying machine vouched for the whole session). A named
 * reader counts in the scopes where it may be named.
 */
function renderWasThere(reader: ChainReader, m: string): SqlFragment {
  switch (reader.posture) {
    case 'internal':
      return sql.fragment`true`;
    case 'public_only':
      return sql.fragment`false`;
    case 'peer':
      return wasThere(sql.fragment`${reader.peerId}::uuid`, m);
    case 'named':
      return sql.fragment`(case when ${column(m, 'scope_id')} = any(${sql.array(reader.scopeIds, 'uuid')})
        then ${renderWasThere(reader.named, m)} else ${renderWasThere(reader.otherwise, m)} end)`;
  }
}

/** The same for a reader that an expression of the surrounding query names. */
export function wasThere(peerId: SqlFragment, m = 'm'): SqlFragment {
  return sql.fragment`(${column(m, 'speaker_peer_id')} = ${peerId}
    or ${column(m, 'relay_peer_id')} is not distinct from ${peerId}
    or exists (
      select from session_participants attendance
      where attendance.account_id = ${column(m, 'account_id')}
        and attendance.session_id = ${column(m, 'session_id')}
        and attendance.scope_id = ${column(m, 'scope_id')}
        and attendance.peer_id = ${peerId}
        and (attendance.reads_whole_session or ${column(m, 'recorded_at')} >= attendance.joined_at)))`;
}

/** A statement as it leaves the service. */
export const knowledgeRow = z.object({
  ...rowShape(SHOWN_COLUMNS),
  scope_path: z.string(),
  /** ISO 8601 UTC, with microseconds: what `recorded_at` shows is shorter than what the order compares. */
  recorded_at_exact: z.string(),
  /** At most a hundred of the sources that the reader may read; `source_count` counts all of them. */
  source_message_ids: z.array(z.string()),
});
export type KnowledgeRow = z.infer<typeof knowledgeRow>;

/** Which rows, and in which order: as asked, as recorded, or by confidence and then recency. */
export type StatementSelection =
  | { readonly by: 'ids'; readonly ids: readonly string[] }
  | { readonly by: 'source'; readonly messageId: string }
  | { readonly by: 'document_version'; readonly versionId: string; readonly limit: number }
  | { readonly by: 'listing'; readonly limit: number; readonly after?: ListPlace | null }
  /** Statements about a person, the newest first, after one of them. */
  | {
      readonly by: 'subject';
      readonly peerId: string;
      readonly afterId: string | null;
      readonly limit: number;
    };

export interface KnowledgeRead {
  readonly selection: StatementSelection;
  /** The predicate; a selection never widens it. */
  readonly visible: Condition;
  /** Which replaced statements a row may name as `supersedes_id`; none when left out. */
  readonly replaced?: Condition;
  /** The reader that decides which source ids are listed. */
  readonly reader: ScopedReader;
  /** Reads belief at that instant (ISO 8601) instead of now. */
  readonly asOf?: string | null;
}

/**
 * Walks along the listing of today. Past beliefs, and predicates that name no scope or no state, cannot be walked: all
 * rows are read. No door asks for a listing of either.
 */
function listed(
  { after = null, limit }: Extract<StatementSelection, { by: 'listing' }>,
  visible: Condition,
  asOf: string | null,
): SqlFragment {
  const walks = asOf === null ? walksOf(visible) : null;
  if (walks === null) return sql.fragment`true`;
  const ids = renderWalks(walks, renderReadable(visible), { order: 'listed', limit, after });
  return sql.fragment`k.id = any(array(${ids}))`;
}

/** Reads along the index of the subject, however many statements there are. */
function ofSubject(
  { afterId, limit, peerId }: Extract<StatementSelection, { by: 'subject' }>,
  visible: Condition,
): SqlFragment {
  const after =
    afterId === null
      ? sql.fragment`true`
      : sql.fragment`(own.recorded_at, own.id) < (
          select last.recorded_at, last.id from knowledge last where last.id = ${afterId}::uuid)`;
  return sql.fragment`k.id = any(array(
    select own.id from knowledge own
    where own.subject_peer_id = ${peerId}::uuid and ${after} and ${renderReadable(visible, 'own')}
    order by own.recorded_at desc, own.id desc limit ${limit}))`;
}

function chosen({ selection, visible, asOf = null }: KnowledgeRead): SqlFragment {
  switch (selection.by) {
    case 'ids':
      return sql.fragment`k.id = any(${sql.array(selection.ids, 'uuid')})`;
    case 'source':
      return sql.fragment`k.id = any(array(
        select cited.knowledge_id from provenance cited
        where cited.message_id = ${selection.messageId}::uuid))`;
    case 'document_version':
      return sql.fragment`exists (
        select from provenance cited
        join messages chunk on chunk.account_id = cited.account_id and chunk.id = cited.message_id
        where cited.account_id = k.account_id and cited.knowledge_id = k.id
          and chunk.document_version_id = ${selection.versionId}::uuid)`;
    case 'listing':
      return listed(selection, visible, asOf);
    case 'subject':
      return ofSubject(selection, visible);
  }
}

function order(selection: StatementSelection, values: string): SqlFragment {
  switch (selection.by) {
    case 'ids':
      return sql.fragment`array_position(${sql.array(selection.ids, 'uuid')}, k.id)`;
    case 'source':
    case 'document_version':
      return sql.fragment`k.recorded_at, k.id`;
    case 'subject':
      return sql.fragment`k.recorded_at desc, k.id desc`;
    case 'listing':
      return sql.fragment`${column(values, 'confidence')} desc, k.recorded_at desc, k.id`;
  }
}

/** A statement that became more sensitive since is as sensitive as today. */
const periodColumns = columnsOf(
  BELIEVED_COLUMNS.filter((name) => name !== 'sensitivity'),
  'p',
);

/**
 * The predicate, and the condition that the subject is not being erased. From the request for an erasure on, no read
 * returns statements about that person.
 */
export function renderReadable(condition: Condition, k = 'k', values = k): SqlFragment {
  const isPresent = isNotErasing(
    sql.fragment`${column(k, 'account_id')}`,
    sql.fragment`${column(k, 'subject_peer_id')}`,
  );
  return sql.fragment`(${renderVisibility(condition, k, values)} and ${isPresent})`;
}

/** `renderReadable` for a query that looks at thousands of statements of the account. */
export function renderReadableOfMany(
  condition: Condition,
  accountId: string,
  k = 'k',
): SqlFragment {
  const subject = sql.fragment`${column(k, 'subject_peer_id')}`;
  const isPresent = isNoneOfErasing(sql.fragment`${accountId}::uuid`, subject);
  return sql.fragment`(${renderVisibility(condition, k)} and ${isPresent})`;
}

/** Today's row, or the period that was open at the instant; text that was withdrawn since never shows. */
function believed(asOf: string | null): SqlFragment {
  if (asOf === null) return sql.fragment``;
  return sql.fragment`join (
    select p.knowledge_id, p.account_id, ${periodColumns}, greatest(p.sensitivity, today.sensitivity) as sensitivity
    from belief_periods p
    join knowledge today on today.account_id = p.account_id and today.id = p.knowledge_id
    where p.believed_from <= ${asOf}::timestamptz
      and (p.believed_until is null or p.believed_until > ${asOf}::timestamptz)
      and today.state not in ('redacted', 'retracted')
  ) v on v.account_id = k.account_id and v.knowledge_id = k.id`;
}

const BELIEVED: ReadonlySet<StatementColumn> = new Set(BELIEVED_COLUMNS);
/** The id of the replaced statement is judged by itself. */
const READ_COLUMNS = SHOWN_COLUMNS.filter((name) => name !== 'supersedes_id');

/** Statements of the account, as far as a predicate lets them through. */
export class KnowledgeStore extends AccountStore {
  /**
   * The statements of the selection that the predicate lets through, in the order of the selection.
   * One query, and two settings around a listing.
   */
  async read(read: KnowledgeRead): Promise<KnowledgeRow[]> {
    const { selection, visible, reader, asOf = null, replaced = NOTHING } = read;
    const v = asOf === null ? 'k' : 'v';
    const limit = 'limit' in selection ? sql.fragment`limit ${selection.limit}` : sql.fragment``;
    const shownColumns = columnsOf(READ_COLUMNS, (name) => (BELIEVED.has(name) ? v : 'k'));
    const query = sql.type(knowledgeRow)`
      with picked as materialized (
        select k.account_id, ${shownColumns}, k.supersedes_id as replaced_id,
          to_char(k.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at_exact,
          row_number() over (order by ${order(selection, v)}) as place
        from knowledge k ${believed(asOf)}
        where ${chosen(read)} and ${renderReadable(visible, 'k', v)}
        order by place ${limit}
      )
      select picked.*,
        (select older.id from knowledge older
          where older.account_id = picked.account_id and older.id = picked.replaced_id
            and ${renderReadable(replaced, 'older')}) as supersedes_id,
        scope.path as scope_path, source.source_message_ids
      from picked
      join scopes scope on scope.account_id = picked.account_id and scope.id = picked.scope_id
      cross join lateral (${listedSources(reader.reader, renderMessageReadable(reader))}) source
      order by picked.place`;
    const rows = await (selection.by === 'listing'
      ? walking(this.tx, () => this.tx.any(query))
      : this.tx.any(query));
    return [...rows];
  }
}
