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
import { columnsOf, rowShape } from './columns.ts';
import { renderMessageReadable, renderReadable, renderVisibility } from './rows.store.ts';
import { renderPastWalks } from './past-walks.ts';
import { renderWalks, walking } from './walks.ts';
import { AccountStore } from '../account-store.ts';

/** What a search ranks and filters by. */
const RANKED_COLUMNS = [
  'id',
  'subject_peer_id',
  'confidence',
  'corroboration_count',
  'recorded_at',
  'updated_at',
  'relevant_from',
  'relevant_until',
  'extracting_provider',
  'extracting_model',
  'pipeline_version',
] as const;

const candidateRow = z.object({
  ...rowShape([...RANKED_COLUMNS, 'statement']),
  has_source_message: z.boolean(),
  /** The name of the peer that the statement is about. */
  subject_name: z.string().nullable(),
  /** The newer statement that ended this one, as believed at the instant. */
  ended_by_id: z.string().nullable(),
});
export type CandidateRow = z.infer<typeof candidateRow>;

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
}

/**
 * The governed values: of today's row, or of the period at the instant; the latter not of a withdrawn statement. What was
 * believed then is as old as its period: what changed since changes no rank of the past.
 */
function believed(asOf: string | null): FragmentSqlToken {
  return asOf === null
    ? sql.fragment`select k.* from knowledge k where true`
    : sql.fragment`
        select k.id, k.account_id, k.statement, k.subject_peer_id, k.subject_scope_id, k.expires_at,
          p.scope_id, p.state, p.target_level, greatest(p.sensitivity, k.sensitivity) as sensitivity,
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

function candidateColumns(read: CandidateRead): FragmentSqlToken {
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
  return sql.fragment`${columnsOf(RANKED_COLUMNS, 'k')}, ${statement},
    k.updated_by_id as ended_by_id, ${hasSource} as has_source_message`;
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

  /** Those of `ids` that the predicate lets through, in no order. One query, also when there are no ids. */
  async read(ids: readonly string[], read: CandidateRead): Promise<readonly CandidateRow[]> {
    // Hundreds of candidates are about a few people: who they are, and whether they are being erased, is read once.
    return this.tx.any(sql.type(candidateRow)`
      with found as materialized (
        select ${candidateColumns(read)}
        from (${believed(read.asOf)} and k.account_id = ${this.accountId}::uuid
          and k.id = any(${sql.array(ids, 'uuid')})) k
        where ${renderVisibility(read.visible)}
      ), subject as materialized (
        select p.id, p.name, p.erasing_at from peers p
        where p.account_id = ${this.accountId}::uuid and p.id = any(array(select distinct subject_peer_id from found))
      )
      select found.*, subject.name as subject_name
      from found left join subject on subject.id = found.subject_peer_id
      where subject.erasing_at is null`);
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
      select ${candidateColumns(read)}, ${nameOfSubject}
      from (${standingOut(limit, read)} and k.account_id = ${this.accountId}::uuid) k
      where ${renderReadable(read.visible)}
      order by k.confidence * (1 + ln(1 + k.corroboration_count))
        * exp(-greatest(extract(epoch from ${at}::timestamptz - k.updated_at), 0) / 2592000.0) desc, k.id
      limit ${limit}`;
    return walking(this.tx, () => this.tx.any(query));
  }
}
