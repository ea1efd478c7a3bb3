/**
 * The reads of a search beside the rows of its page: the statements of a source, the candidates that the predicate
 * lets through, and the statements that stand out. `KnowledgeStore.read` reads the page itself, through the same
 * predicate again.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { ScopedReader } from '../../../domain/governance/scoped-reader.ts';
import type { Condition } from '../../../domain/governance/visibility.ts';
import { walksOf } from '../../../domain/governance/walks.ts';
import { columnsOf, instant } from '../columns.ts';
import { rowShape } from '../statement-columns.ts';
import { chunkRow, renderChunks, type ChunkRead, type ChunkRow } from '../documents/chunk-query.ts';
import { renderMessageReadable } from '../visibility/messages.ts';
import { renderReadable, renderVisibility } from '../visibility/statements.ts';
import { renderPastWalks } from '../visibility/past-walks.ts';
import { renderWalks, walking } from '../visibility/walks.ts';
import { AccountStore } from '../account-store.ts';

/** What every search ranks by. */
const RANKED_COLUMNS = ['id', 'subject_peer_id', 'confidence'] as const;
/** What a search of a past instant ranks by as well. */
const VALIDITY_COLUMNS = ['relevant_from', 'relevant_until'] as const;
/** What only some searches rank or filter by. */
const BESIDE_COLUMNS = [
  'corroboration_count',
  'updated_at',
  'extracting_provider',
  'extracting_model',
  'pipeline_version',
] as const;
export type BesideColumn = (typeof BESIDE_COLUMNS)[number];
const OPTIONAL_COLUMNS = [...VALIDITY_COLUMNS, ...BESIDE_COLUMNS] as const;
const ALL_COLUMNS = [...RANKED_COLUMNS, ...OPTIONAL_COLUMNS, 'statement'] as const;

const candidateRow = z.object({
  ...rowShape(ALL_COLUMNS),
  has_source_message: z.boolean(),
  /** The name of the peer that the statement is about. */
  subject_name: z.string().nullable(),
  /** The newer statement that ended this one, as believed at the instant. */
  ended_by_id: z.string().nullable(),
});
type WholeRow = z.infer<typeof candidateRow>;
type OptionalColumn = (typeof OPTIONAL_COLUMNS)[number];
/** A candidate, with the columns that were asked for. */
export type CandidateRow = Omit<WholeRow, OptionalColumn> & Partial<Pick<WholeRow, OptionalColumn>>;

/** Hundreds of candidates in one row, column by column: their names and their frames would cost more than they do. */
const candidatesRow = z.object({
  ids: z.array(z.string()),
  subject_peer_ids: z.array(z.string().nullable()),
  confidences: z.array(z.number()),
  statements: z.array(z.string().nullable()).nullable(),
  with_source: z.array(z.boolean()).nullable(),
  ended_by_ids: z.array(z.string().nullable()),
  /** By the id of the peer. */
  subject_names: z.record(z.string(), z.string()),
  optional: optionalColumns().nullable(),
  chunks: z.array(chunkRow.extend({ recorded_at: instant })),
});

/** Of each optional column its values, as far as it was asked for. */
function optionalColumns() {
  const shape = rowShape(OPTIONAL_COLUMNS);
  const arrays = OPTIONAL_COLUMNS.map((name) => [name, z.array(shape[name]).optional()] as const);
  return z.object(
    Object.fromEntries(arrays) as {
      readonly [N in OptionalColumn]: z.ZodOptional<z.ZodArray<(typeof shape)[N]>>;
    },
  );
}

const idRow = z.object({ id: z.string() });

export interface CandidateRead extends ScopedReader {
  readonly accountId: string;
  readonly visible: Condition;
  /** Reads belief at that instant (ISO 8601) instead of now. */
  readonly asOf: string | null;
  /** Whether the texts are needed: operators are checked on them. */
  readonly withText: boolean;
  /** A message asked for as source; it counts only where the reader may read it. */
  readonly sourceMessageId: string | null;
  /** Columns that the search ranks or filters by beside those that all do. */
  readonly beside?: readonly BesideColumn[];
}

/** Chunks of documents that were found beside statements, and how they are read. */
export interface ChunksFound {
  readonly ids: readonly string[];
  readonly read: ChunkRead;
}

export interface ReadCandidates {
  readonly statements: readonly CandidateRow[];
  readonly chunks: readonly ChunkRow[];
}

/**
 * The governed values: of today's row, or of the period at the instant; the latter not of a withdrawn statement. What was
 * believed then is as old as its period: what changed since changes no rank of the past.
 */
function believed(asOf: string | null): FragmentSqlToken {
  return asOf === null
    ? sql.fragment`select k.* from knowledge k where true`
    : sql.fragment`
        select k.id, k.account_id, k.statement, k.is_served, k.subject_peer_id, k.subject_scope_id, k.expires_at,
          coalesce(p.audience_id, k.audience_id) as audience_id, p.scope_id, p.state, p.target_level, greatest(p.sensitivity, k.sensitivity) as sensitivity,
          p.confidence, p.relevant_from, p.relevant_until, k.corroboration_count, k.recorded_at,
          p.believed_from as updated_at,
          k.extracting_provider, k.extracting_model, k.pipeline_version,
          case when p.relevant_until = k.relevant_until then k.updated_by_id end as updated_by_id
        from knowledge k
        join belief_periods p on p.account_id = k.account_id and p.knowledge_id = k.id
          and p.believed_from <= ${asOf}::timestamptz
          and (p.believed_until is null or p.believed_until > ${asOf}::timestamptz)
        where k.state not in ('redacted', 'retracted')`;
}

function candidateColumns(
  read: CandidateRead,
  optional: readonly OptionalColumn[],
): FragmentSqlToken {
  const statement = read.withText
    ? sql.fragment`k.statement`
    : sql.fragment`null::text as statement`;
  const hasSource =
    read.sourceMessageId === null
      ? sql.fragment`false`
      : sql.fragment`exists (
          select from provenance c
          join messages m on m.account_id = c.account_id and m.id = c.message_id
          where c.account_id = k.account_id and c.knowledge_id = k.id
            and c.message_id = ${read.sourceMessageId}::uuid and ${renderMessageReadable(read)})`;
  return sql.fragment`${columnsOf([...RANKED_COLUMNS, ...optional], 'k')}, ${statement},
    k.updated_by_id as ended_by_id, ${hasSource} as has_source_message`;
}

/** All values of a column of `found`; none are null where it holds no row. */
const all = (column: string): FragmentSqlToken =>
  sql.fragment`coalesce(json_agg(${sql.identifier(['found', column])}), '[]')`;

const optionalOf = (names: readonly OptionalColumn[]): FragmentSqlToken =>
  names.length === 0
    ? sql.fragment`null::json`
    : sql.fragment`json_build_object(${sql.join(
        names.map((name) => sql.fragment`${sql.literalValue(name)}, ${all(name)}`),
        sql.fragment`, `,
      )})`;

/** The rows of the columns. */
function rowsOf({
  confidences,
  ended_by_ids: enders,
  ids,
  optional,
  statements,
  subject_names: names,
  subject_peer_ids: subjects,
  with_source: withSource,
}: z.infer<typeof candidatesRow>): CandidateRow[] {
  const columns = Object.entries(optional ?? {});
  return ids.map((id, at): CandidateRow => {
    const subject = subjects[at] ?? null;
    const row = {
      id,
      subject_peer_id: subject,
      subject_name: subject === null ? null : (names[subject] ?? null),
      confidence: confidences[at] ?? 0,
      statement: statements?.[at] ?? null,
      has_source_message: withSource?.[at] ?? false,
      ended_by_id: enders[at] ?? null,
    };
    return columns.length === 0
      ? row
      : Object.assign(row, Object.fromEntries(columns.map(([name, of]) => [name, of?.[at]])));
  });
}

const nameOfSubject = sql.fragment`(select subject.name from peers subject
    where subject.account_id = k.account_id and subject.id = k.subject_peer_id) as subject_name`;

/** Of a message that more statements were drawn from, a search takes the first ones. */
const MOST_STATEMENTS_OF_SOURCE = 1_000;

/** Statements that may stand out: those of the walks of today, or of the walks of a past instant. */
function standingOut(limit: number, { visible, asOf }: CandidateRead): FragmentSqlToken {
  const walks = walksOf(visible);
  if (walks === null) throw new TypeError('a search names its scopes and states');
  if (asOf === null) {
    const ids = renderWalks(walks, renderReadable(visible), {
      order: 'salient',
      limit,
      after: null,
    });
    return sql.fragment`${believed(null)} and k.id = any(array(${ids}))`;
  }
  return sql.fragment`${believed(asOf)} and p.id = any(array(${renderPastWalks(walks, asOf)}))`;
}

/** Candidates of a search, as far as its predicate lets them through. */
export class CandidatesStore extends AccountStore {
  /** Statements that the message is a source of, oldest first; none where the reader may not read the message. */
  async ofSource(messageId: string, reader: ScopedReader): Promise<readonly string[]> {
    return this.tx.anyFirst(sql.type(z.object({ knowledge_id: z.string() }))`
      select p.knowledge_id from provenance p
      join messages m on m.account_id = p.account_id and m.id = p.message_id
      where p.account_id = ${this.accountId}::uuid and p.message_id = ${messageId}::uuid
        and ${renderMessageReadable(reader)}
      order by p.knowledge_id limit ${MOST_STATEMENTS_OF_SOURCE}`);
  }

  /**
   * Those of `ids`, and of the chunks, that their rules let through, in no order. One query, also when there are no ids. A
   * past instant is read with the validity of the statements.
   */
  async read(
    ids: readonly string[],
    read: CandidateRead,
    chunks: ChunksFound | null = null,
  ): Promise<ReadCandidates> {
    const { asOf, beside = [], sourceMessageId, withText } = read;
    const optional = asOf === null ? beside : [...VALIDITY_COLUMNS, ...beside];
    const ofChunks =
      chunks === null
        ? sql.fragment`'[]'::json`
        : sql.fragment`(select coalesce(json_agg(chunk), '[]')
            from (${renderChunks(this.accountId, chunks.ids, chunks.read)}) chunk)`;
    // Hundreds of candidates are about a few people: who they are, and whether they are being erased, is read once.
    const row = await this.tx.one(sql.type(candidatesRow)`
      with found as materialized (
        select ${candidateColumns(read, optional)}
        from (${believed(read.asOf)} and k.account_id = ${this.accountId}::uuid
          and k.id = any(${sql.array(ids, 'uuid')})) k
        where ${renderVisibility(read.visible, 'k', 'k', { accountId: this.accountId, ids })}
      ), subject as materialized (
        select p.id, p.name, p.erasing_at from peers p
        where p.account_id = ${this.accountId}::uuid and p.id = any(array(select distinct subject_peer_id from found))
      )
      select ${all('id')} as ids, ${all('subject_peer_id')} as subject_peer_ids, ${all('confidence')} as confidences,
        ${withText ? all('statement') : sql.fragment`null::json`} as statements,
        ${sourceMessageId === null ? sql.fragment`null::json` : all('has_source_message')} as with_source,
        ${all('ended_by_id')} as ended_by_ids, ${optionalOf(optional)} as optional,
        (select coalesce(json_object_agg(s.id, s.name), '{}') from subject s where s.erasing_at is null) as subject_names,
        ${ofChunks} as chunks
      from found left join subject on subject.id = found.subject_peer_id
      where subject.erasing_at is null`);
    return { statements: rowsOf(row), chunks: row.chunks };
  }

  /** Those of `ids` that the predicate lets through, in no order, and nothing of their rows. One query. */
  async readable(
    ids: readonly string[],
    { asOf, visible }: Pick<CandidateRead, 'asOf' | 'visible'>,
  ): Promise<readonly string[]> {
    return this.tx.anyFirst(sql.type(idRow)`
      select k.id
      from (${believed(asOf)} and k.account_id = ${this.accountId}::uuid
        and k.id = any(${sql.array(ids, 'uuid')})) k
      where ${renderReadable(visible)}`);
  }

  /**
   * The rows that stand out most at an instant, best first: confidence x (1 + ln(1 + corroboration))
   * x exp(-age / 30 days). The database makes the order; the caller computes the score. For a past instant it
   * considers only the thousand beliefs of each scope and audience that had begun last, and the reader's own submissions.
   */
  async salient(at: string, limit: number, read: CandidateRead): Promise<readonly CandidateRow[]> {
    const query = sql.type(candidateRow)`
      select ${candidateColumns(read, OPTIONAL_COLUMNS)}, ${nameOfSubject}
      from (${standingOut(limit, read)} and k.account_id = ${this.accountId}::uuid) k
      where ${renderReadable(read.visible)}
      order by k.confidence * (1 + ln(1 + k.corroboration_count))
        * exp(-greatest(extract(epoch from ${at}::timestamptz - k.updated_at), 0) / 2592000.0) desc, k.id
      limit ${limit}`;
    return walking(this.tx, () => this.tx.any(query));
  }
}
