/**
 * Ranking by words. Qdrant's sparse vectors rank. While Qdrant is away, Meilisearch finds the statements that hold any
 * of the terms, and the ranking formula is applied to their texts here. Statements that were not written to Qdrant in
 * time are scored here too.
 */
import { roundScore, pointVector, type SparseVector } from '../../domain/ranking/sparse.ts';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import type { ReasonClass } from '../../domain/retrieval/outcomes.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import { analyze } from '../text/analyze.ts';
import type { IndexGate } from '../indexes/index-gate.ts';
import { partWithin } from './deadline.ts';
import type { SearchDependencies } from './dependencies.ts';

export interface LexicalHits {
  /** Score between 0 and 1 by statement: the share of the query's weight that it meets. */
  readonly scored: ReadonlyMap<string, number>;
  /** Statements to be scored on their texts. */
  readonly unscored: readonly string[];
  readonly reason: ReasonClass | null;
}

export interface LexicalQuery {
  readonly vector: SparseVector;
  readonly search: StatementSearch;
  readonly limit: number;
  /** Statements of the chain that were not written to Qdrant in time. */
  readonly overdueIds: readonly string[];
  /** Milliseconds that Qdrant may take before Meilisearch is asked; null waits for Qdrant's own timeout. */
  readonly patienceMs: number | null;
  readonly signal: AbortSignal;
}

/** Most words that Meilisearch is asked for, the weightiest of the query: each is a question of its own. */
export const MOST_FALLBACK_TERMS = 32;

/** How long a search waits for the gate's probe, so that the first search after Qdrant's return can use Qdrant. */
export const PROBE_PATIENCE_MS = 200;

/** The score of a text that met the whole query, before it is divided by this. */
export function totalWeight(vector: SparseVector): number {
  return vector.values.reduce((sum, value) => sum + value, 0);
}

/** The ids of the terms that weigh most. */
export function weightiest({ indices, values }: SparseVector, most: number): number[] {
  return indices
    .map((id, i) => ({ id, value: values[i] ?? 0 }))
    .toSorted((a, b) => b.value - a.value)
    .slice(0, most)
    .map(({ id }) => id);
}

/** A score of the index as a share of the query's weight: 0 to 1. */
export function share(score: number, total: number): number {
  return total > 0 ? Math.min(1, roundScore(score) / total) : 0;
}

/** Statements that hold a term, by Meilisearch; none when it fails as well and there are overdue statements. */
async function foundInRecords(
  records: SearchDependencies['records'],
  { vector, search, limit, overdueIds, signal }: LexicalQuery,
): Promise<readonly string[]> {
  try {
    const lists = await records.statementsWithTerms(
      weightiest(vector, MOST_FALLBACK_TERMS),
      search,
      limit,
      signal,
    );
    return lists.flatMap((list) => list.sourceIds);
  } catch (error) {
    if (overdueIds.length === 0 || !(error instanceof IndexFailure)) throw error;
    return [];
  }
}

/**
 * Looks for statements that share a word with the query. Throws when both indexes are away, unless statements
 * wait for Qdrant: those are found without either.
 */
export async function searchWords(
  { points, records }: Pick<SearchDependencies, 'points' | 'records'>,
  gate: IndexGate,
  query: LexicalQuery,
): Promise<LexicalHits> {
  const { vector, search, limit, overdueIds, patienceMs, signal } = query;
  if (vector.indices.length === 0) return { scored: new Map(), unscored: [], reason: null };
  const total = totalWeight(vector);
  const probePatienceMs = Math.min(PROBE_PATIENCE_MS, patienceMs ?? PROBE_PATIENCE_MS);
  if (await gate.opensWithin(probePatienceMs)) {
    try {
      const hits = await partWithin(patienceMs, signal, () =>
        points.searchSparse(vector, search, limit),
      );
      return {
        scored: new Map(hits.map((hit) => [hit.sourceId, share(hit.score, total)])),
        unscored: overdueIds,
        reason: overdueIds.length === 0 ? null : 'dependency_unavailable',
      };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof IndexFailure) || error.reason !== 'refused') gate.close();
    }
  }
  const found = await foundInRecords(records, query);
  return {
    scored: new Map(),
    unscored: [...new Set([...found, ...overdueIds])],
    reason: 'dependency_unavailable',
  };
}

/** The score of a text, by the formula that the index applies to its points. */
export function scoreText(accountId: string, vector: SparseVector, text: string): number {
  const { terms, length } = analyze(text);
  const point = pointVector(accountId, terms, length);
  const values = new Map(point.indices.map((id, i) => [id, point.values[i] ?? 0] as const));
  const score = vector.indices.reduce(
    (sum, id, i) => sum + (vector.values[i] ?? 0) * (values.get(id) ?? 0),
    0,
  );
  return share(score, totalWeight(vector));
}
