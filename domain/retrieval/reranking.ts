/** What a reranker's answer means for the order of the candidates. Pure. */
import { newerFirst } from '../ranking/newer-first.ts';
import type { ReasonClass } from './outcomes.ts';

/** Candidates that a reranker judges: the first ones of the fused order. */
export const RERANK_HEAD = 20;

/** A document's place in the request, from 0, and how well the reranker found it to fit the query: more is better. */
export interface Judgement {
  readonly index: number;
  readonly score: number;
}

function judgementOf(ranking: unknown, documents: number): Judgement | null {
  const { index, relevance_score: relevance, score } = Object(ranking);
  const value: unknown = relevance ?? score;
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return Number.isInteger(index) && index >= 0 && index < documents
    ? { index, score: value }
    : null;
}

/**
 * Reads the rankings that an endpoint sent for so many documents. Null when any of them is no judgement of one of the
 * documents, or when a document was judged twice: then none of them is believed.
 */
export function judgementsIn(rankings: unknown, documents: number): readonly Judgement[] | null {
  if (!Array.isArray(rankings) || rankings.length > documents) return null;
  const byIndex = new Map<number, Judgement>();
  for (const ranking of rankings) {
    const judgement = judgementOf(ranking, documents);
    if (judgement === null || byIndex.has(judgement.index)) return null;
    byIndex.set(judgement.index, judgement);
  }
  return [...byIndex.values()];
}

/** Why a reranker that answered did less than it should have done; null when it judged all `documents`. */
export function reasonOfJudgements(
  judgements: readonly Judgement[] | null,
  documents: number,
): ReasonClass | null {
  if (judgements === null) return 'invalid_result';
  return judgements.length < documents ? 'partial_rankings' : null;
}

/** What is known of candidates beside their judgements. */
export interface Known<T> {
  readonly idOf: (candidate: T) => string;
  /** The id of the statement that ended another, or null. */
  readonly endedBy: (id: string) => string | null;
}

/**
 * The candidates with the judged ones exchanged among their own places, the best first; all others keep their places.
 * Candidates with the same score keep their order, and of two judged ones the newer stands before the one it ended.
 */
export function reordered<T>(
  candidates: readonly T[],
  judgements: readonly Judgement[],
  { idOf, endedBy }: Known<T>,
): readonly T[] {
  const judged = judgements.flatMap(({ index, score }) =>
    candidates.slice(index, index + 1).map((candidate) => {
      return { id: idOf(candidate), score, index, candidate };
    }),
  );
  const best = judged.toSorted((a, b) => b.score - a.score || a.index - b.index);
  const places = judged.map(({ index }) => index).toSorted((a, b) => a - b);
  const result = [...candidates];
  newerFirst(best, endedBy).forEach(({ candidate }, at) => {
    const place = places[at];
    if (place !== undefined) result[place] = candidate;
  });
  return result;
}
