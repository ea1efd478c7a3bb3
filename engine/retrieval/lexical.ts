/**
 * Ranking by words. Qdrant's sparse vectors rank. While Qdrant is away, Meilisearch finds the statements and chunks that
 * hold any of the terms, and the ranking formula is applied to their texts here. Statements that were not written to
 * Qdrant in time are scored here too.
 */
import { MOST_CHUNKS, type ChunkSearch } from '../../domain/retrieval/chunk-search.ts';
import { roundScore, pointVector, type SparseVector } from '../../domain/ranking/sparse.ts';
import type { MessageReader } from '../../domain/retrieval/message-search.ts';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import type { ReasonClass } from '../../domain/retrieval/outcomes.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import type { MatchedIds } from '../../stores/meilisearch/record-index.ts';
import type { Hit } from '../../stores/qdrant/point-reader.ts';
import { analyze } from '../text/analyze.ts';
import type { IndexGate } from '../indexes/index-gate.ts';
import { candidateSearch } from './candidate-search.ts';
import { partsTogether, partWithin } from './deadline.ts';
import type { SearchDependencies } from './dependencies.ts';
import type { WeighedWords } from '../text/query-plan.ts';

/** Candidates of one kind. */
export interface Found {
  /**
   * Score by id: a cosine, or the share of the query's weight that is met. The share is above 1 where a short text meets
   * all of the query.
   */
  readonly scored: ReadonlyMap<string, number>;
  /** Ids of those to be scored on their texts. */
  readonly unscored: readonly string[];
}

export const NONE_FOUND: Found = { scored: new Map(), unscored: [] };

/** Statements, and beside them chunks of documents. */
export interface LexicalHits extends Found {
  readonly chunks: Found;
  readonly reason: ReasonClass | null;
}

export interface LexicalQuery {
  readonly words: WeighedWords;
  readonly search: StatementSearch;
  readonly chunks: ChunkSearch | null;
  /** The readers of messages, with their scopes. */
  readonly sourceReaders: readonly MessageReader[];
  readonly limit: number;
  /** Statements of the chain that were not written to Qdrant in time. */
  readonly overdueIds: readonly string[];
  /** Milliseconds that Qdrant may take before Meilisearch is asked; null waits for Qdrant's own timeout. */
  readonly patienceMs: number | null;
  readonly signal: AbortSignal;
}

/** Most words that Meilisearch is asked for, the weightiest of the query: each is a question of its own. */
export const MOST_FALLBACK_TERMS = 32;

/** Most chunks that are scored on their texts while Qdrant is away: some ten milliseconds of work. */
const MOST_FALLBACK_CHUNKS = 50;

/** Milliseconds in which a healthy Qdrant answers. */
const FAIR_PATIENCE_MS = 50;

/** How long a search waits for the gate's probe, so that the first search after Qdrant's return can use Qdrant. */
export const PROBE_PATIENCE_MS = 200;

/** The ids of the terms that weigh most. */
export function weightiest({ indices, values }: SparseVector, most: number): number[] {
  return indices
    .map((id, i) => ({ id, value: values[i] ?? 0 }))
    .toSorted((a, b) => b.value - a.value)
    .slice(0, most)
    .map(({ id }) => id);
}

/**
 * A score of the index as a share of the query's weight, not capped. The score is rounded so that order survives rebuilds
 * of the index. Where every word of the query is common, the weight is far below 1, and the rounding is as much finer.
 */
export function share(score: number, total: number): number {
  if (total <= 0) return 0;
  const scale = Math.min(1, total);
  return (roundScore(score / scale) * scale) / total;
}

/** The ids in the lists of terms whose terms weigh most together, at most `most`. */
function weightiestOf(
  { indices, values }: SparseVector,
  terms: readonly number[],
  lists: readonly MatchedIds[],
  most: number,
): string[] {
  const weightOf = new Map(indices.map((id, i) => [id, values[i] ?? 0] as const));
  const sums = new Map<string, number>();
  for (const [i, { sourceIds }] of lists.entries()) {
    const weight = weightOf.get(terms[i] ?? -1) ?? 0;
    for (const id of sourceIds) sums.set(id, (sums.get(id) ?? 0) + weight);
  }
  const byWeight = [...sums].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return byWeight.slice(0, most).map(([id]) => id);
}

interface FoundIds {
  readonly statements: readonly string[];
  readonly chunks: readonly string[];
}

/**
 * The candidates that hold a term, from Meilisearch. Empty if Meilisearch fails too and there are overdue statements.
 */
async function foundInRecords(
  records: SearchDependencies['records'],
  { words, search, chunks, limit, overdueIds, signal }: LexicalQuery,
): Promise<FoundIds> {
  const { own } = words;
  const terms = weightiest(own, MOST_FALLBACK_TERMS);
  try {
    const [lists, chunkLists] = await partsTogether(signal, [
      (either) => records.statementsWithTerms(terms, search, limit, either),
      async (either) =>
        chunks === null ? [] : records.chunksWithTerms(terms, chunks, MOST_CHUNKS, either),
    ]);
    return {
      statements: weightiestOf(own, terms, lists, limit),
      chunks: weightiestOf(own, terms, chunkLists, MOST_FALLBACK_CHUNKS),
    };
  } catch (error) {
    if (overdueIds.length === 0 || !(error instanceof IndexFailure)) throw error;
    return { statements: [], chunks: [] };
  }
}

function scoresOf(hits: readonly Hit[], total: number): ReadonlyMap<string, number> {
  return new Map(hits.map((hit) => [hit.sourceId, share(hit.score, total)]));
}

/**
 * Whether the failure says that Qdrant is away, for all searches of the process: not when it was given so little time
 * that a healthy Qdrant may be late, because something else had used up the deadline.
 */
function isAway(error: unknown, patienceMs: number | null): boolean {
  if (error instanceof IndexFailure) return error.reason !== 'refused';
  return patienceMs === null || patienceMs >= FAIR_PATIENCE_MS;
}

/**
 * Looks for statements and chunks that share a word with the query. Throws when both indexes are away, unless
 * statements wait for Qdrant: those are found without either.
 */
export async function searchWords(
  { points, records }: Pick<SearchDependencies, 'points' | 'records'>,
  gate: IndexGate,
  query: LexicalQuery,
): Promise<LexicalHits> {
  const { words, search, chunks, limit, overdueIds, patienceMs, signal } = query;
  const { asked, total } = words;
  if (asked.indices.length === 0) return { ...NONE_FOUND, chunks: NONE_FOUND, reason: null };
  const probePatienceMs = Math.min(PROBE_PATIENCE_MS, patienceMs ?? PROBE_PATIENCE_MS);
  if (await gate.opensWithin(probePatienceMs)) {
    try {
      const hits = await partWithin(patienceMs, signal, (inTime) =>
        points.candidatesByWords(
          asked,
          candidateSearch(search, chunks, limit),
          query.sourceReaders,
          inTime,
        ),
      );
      return {
        scored: scoresOf(hits.statements, total),
        unscored: overdueIds,
        chunks: { scored: scoresOf(hits.chunks, total), unscored: [] },
        reason: overdueIds.length === 0 ? null : 'dependency_unavailable',
      };
    } catch (error) {
      signal.throwIfAborted();
      if (isAway(error, patienceMs)) gate.close();
    }
  }
  const found = await foundInRecords(records, query);
  return {
    scored: new Map(),
    unscored: [...new Set([...found.statements, ...overdueIds])],
    chunks: { scored: new Map(), unscored: found.chunks },
    reason: 'dependency_unavailable',
  };
}

/** The score of a text as a share of the query's weight, by the formula that the index applies to its points. */
export function scoreText(accountId: string, { asked, total }: WeighedWords, text: string): number {
  const { terms, length } = analyze(text);
  const point = pointVector(accountId, terms, length);
  const values = new Map(point.indices.map((id, i) => [id, point.values[i] ?? 0] as const));
  const score = asked.indices.reduce(
    (sum, id, i) => sum + (asked.values[i] ?? 0) * (values.get(id) ?? 0),
    0,
  );
  return share(score, total);
}
