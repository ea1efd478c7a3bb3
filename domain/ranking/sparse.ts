/**
 * BM25 split in two halves, so that an index's dot product is the score: the saturated term frequency is
 * stored with the point, the inverse document frequency travels with the query. k1 = .9, b = .4, and the
 * mean length is fixed at 30 terms, so that a stored value never depends on other points.
 */
import { murmur3 } from './term-id.ts';

const K1 = 0.9;
const B = 0.4;
const MEAN_LENGTH = 30;

/** Stored value of a term: `tf x 1.9 / (tf + .9 x (.6 + .4 x length / 30))`; tf and length are real-valued. */
export function sparseValue(tf: number, length: number): number {
  return (tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / MEAN_LENGTH));
}

/**
 * Weight of a query term: `count x ln(1 + (N - df + .5) / (df + .5))`. `units` is N of the scopes searched,
 * `frequency` is df; a df above N (tables counted at different instants) counts as N.
 */
export function queryWeight(count: number, units: number, frequency: number): number {
  const df = Math.min(Math.max(frequency, 0), units);
  return count * Math.log1p((units - df + 0.5) / (df + 0.5));
}

export interface SparseVector {
  /** Term ids, ascending and unique. */
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

/** A sparse vector from weighted terms; the weights of colliding terms are added. */
export function sparseVector(
  accountId: string,
  weights: Iterable<readonly [term: string, weight: number]>,
): SparseVector {
  const seed = murmur3(accountId);
  const byId = new Map<number, number>();
  for (const [term, weight] of weights) {
    const id = murmur3(term, seed);
    byId.set(id, (byId.get(id) ?? 0) + weight);
  }
  const entries = [...byId].toSorted((a, b) => a[0] - b[0]);
  return { indices: entries.map((e) => e[0]), values: entries.map((e) => e[1]) };
}

/** The vector of a point: real-valued term frequencies, saturated for a text of `length` terms. */
export function pointVector(
  accountId: string,
  terms: ReadonlyMap<string, number>,
  length: number,
): SparseVector {
  const values = Array.from(terms, ([term, tf]) => [term, sparseValue(tf, length)] as const);
  return sparseVector(accountId, values);
}

/** Scores of an index are rounded to 1e-3 before anything orders by them: order then survives segment rebuilds. */
export function roundScore(score: number): number {
  return Math.round(score * 1000) / 1000;
}
