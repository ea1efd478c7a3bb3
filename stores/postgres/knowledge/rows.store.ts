/**
 * Reading statements: every row that leaves the service, whichever index found it, is read through
 * `KnowledgeStore.read`.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { ScopedReader } from '../../../domain/governance/scoped-reader.ts';
import { NOTHING, type Condition } from '../../../domain/governance/visibility.ts';
import { walksOf } from '../../../domain/governance/walks.ts';
import type { ListPlace } from '../../../domain/retrieval/list-place.ts';
import {
  BELIEVED_COLUMNS,
  SHOWN_COLUMNS,
  type StatementColumn,
} from '../../../domain/statements/columns.ts';
import { AccountStore } from '../account-store.ts';
import { columnsOf } from '../columns.ts';
import { renderMessageReadable } from '../visibility/messages.ts';
import { ownStatementText } from '../visibility/own-words.ts';
import { renderReadable } from '../visibility/statements.ts';
import { renderWalks, walking } from '../visibility/walks.ts';
import { rowShape } from '../statement-columns.ts';
import { listedSources } from './listed-sources.ts';

const column = (alias: string, name: string) => sql.identifier([alias, name]);

/** A statement as it leaves the service. */
export const knowledgeRow = z.object({
  ...rowShape(SHOWN_COLUMNS),
  scope_path: z.string(),
  /** Whether it has an audience today. */
  has_audience: z.boolean(),
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
): FragmentSqlToken {
  const walks = asOf === null ? walksOf(visible) : null;
  if (walks === null) return sql.fragment`true`;
  const ids = renderWalks(walks, renderReadable(visible), { order: 'listed', limit, after });
  return sql.fragment`k.id = any(array(${ids}))`;
}

/** Reads along the index of the subject, however many statements there are. */
function ofSubject(
  { afterId, limit, peerId }: Extract<StatementSelection, { by: 'subject' }>,
  visible: Condition,
): FragmentSqlToken {
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

function chosen({ selection, visible, asOf = null }: KnowledgeRead): FragmentSqlToken {
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

function order(selection: StatementSelection, values: string): FragmentSqlToken {
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

/** Today's row, or the period that was open at the instant; text that was withdrawn since never shows. */
function believed(asOf: string | null): FragmentSqlToken {
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
/** The id of the replaced statement is judged by itself, and its words are those that the reader may read. */
const READ_COLUMNS = SHOWN_COLUMNS.filter(
  (name) => name !== 'supersedes_id' && name !== 'statement',
);

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
        select k.account_id, ${shownColumns}, ${ownStatementText(reader.reader)} as statement, k.audience_id is not null as has_audience,
          k.supersedes_id as replaced_id,
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
