/** The directions of vectors, and the cosine between two of them. */

/** A vector of length one. */
export type Direction = Float64Array;

/** The direction of a vector; null for one without any: of no numbers, of zeros, or not finite. */
export function directionOf(vector: readonly number[]): Direction | null {
  let squares = 0;
  for (const number of vector) squares += number * number;
  const length = Math.sqrt(squares);
  if (!(length > 0 && Number.isFinite(length))) return null;
  // A commit takes the directions of hundreds of vectors; `Float64Array.from` with a function takes ten times as long.
  const direction = new Float64Array(vector);
  for (let n = 0; n < direction.length; n += 1) direction[n] = (direction[n] ?? 0) / length;
  return direction;
}

/** Cosine of the angle between two directions of one width, -1 to 1. */
export function cosineOf(a: Direction, b: Direction): number {
  let product = 0;
  // An index, not an iterator: a commit compares tens of thousands of pairs in one stretch.
  for (let n = 0; n < a.length; n += 1) product += (a[n] ?? 0) * (b[n] ?? 0);
  return product;
}
