/** The directions of vectors, and the cosine between two of them. */

/** A vector of length one. */
export type Direction = Float64Array;

/** The direction of a vector; null for one without any: of no numbers, of zeros, or not finite. */
export function directionOf(vector: readonly number[]): Direction | null {
  const length = Math.sqrt(vector.reduce((sum, number) => sum + number * number, 0));
  return length > 0 && Number.isFinite(length)
    ? Float64Array.from(vector, (number) => number / length)
    : null;
}

/** Cosine of the angle between two directions of one width, -1 to 1. */
export function cosineOf(a: Direction, b: Direction): number {
  let product = 0;
  // An index, not an iterator: a commit compares tens of thousands of pairs in one stretch.
  for (let n = 0; n < a.length; n += 1) product += (a[n] ?? 0) * (b[n] ?? 0);
  return product;
}
