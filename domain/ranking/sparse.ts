/**
 * BM25 split in two halves, so that an index's dot product is the score: the saturated term frequency is
 * stored with the point, the inverse document frequency travels with the query. k1 = .9, b = .4, and the
 * mean length is fixed at 30 terms, so that a stored value never depends on other points.
 *
 * Both halves stand on grids, so that the sum of their products fits into the 24 bits of a 32-bit float and is exact.
 * Qdrant adds the products in an order that depends on the segment of a point, and sums that are not exact would differ
 * with the order: a rebuild, or another account's points, would move statements.
 */
import { murmur3 } from './term-id.ts';

const K1 = 0.9;
const B = 0.4;
const MEAN_LENGTH = 30;
/** Step of stored values. A value is below 2, so it has eleven bits. */
const STORED_STEP = 2 ** -10;
/** Steps of a query in the power of two below the sum of its weights: the thirteen bits that are left of 24. */
const QUERY_STEPS = 2 ** 12;

/** Stored value of a term: `tf x 1.9 / (tf + .9 x (.6 + .4 x length / 30))`; tf and length are real-valued. */
export function sparseValue(tf: number, length: number): number {
  return (tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / MEAN_LENGTH));
}

/** The multiple of the step that is nearest; at least one step, so that no term is lost. */
function onGrid(value: number, step: number): number {
  return Math.max(1, Math.round(value / step)) * step;
}

/** What a point stores for a term: `sparseValue` to the nearest 1,024th. */
export function storedValue(tf: number, length: number): number {
  return onGrid(sparseValue(tf, length), STORED_STEP);
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
  const values = Array.from(terms, ([term, tf]) => [term, storedValue(tf, length)] as const);
  return sparseVector(accountId, values);
}

/**
 * The weights of a query, each to the nearest step of a grid that follows from their sum, which has 4,096 to 8,192 steps. The
 * dot product with a point is then exact in 32-bit floats, in whatever order it is added up.
 */
export function exactQuery({ indices, values }: SparseVector): SparseVector {
  const sum = values.reduce((total, value) => total + value, 0);
  if (sum <= 0) return { indices, values };
  const step = 2 ** Math.floor(Math.log2(sum)) / QUERY_STEPS;
  return { indices, values: values.map((value) => onGrid(value, step)) };
}

/** Scores of an index are rounded to 1e-3 before anything orders by them. */
export function roundScore(score: number): number {
  return Math.round(score * 1000) / 1000;
}
