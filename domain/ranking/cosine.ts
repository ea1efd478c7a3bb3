/** Cosine of the angle between two vectors of one width, -1 to 1; null when one of them has no direction. */
export function cosineOf(a: readonly number[], b: readonly number[]): number | null {
  let [product, squareA, squareB] = [0, 0, 0];
  // An index, not an iterator: a commit compares tens of thousands of pairs in one stretch.
  for (let n = 0; n < a.length; n += 1) {
    const inA = a[n] ?? 0;
    const inB = b[n] ?? 0;
    product += inA * inB;
    squareA += inA * inA;
    squareB += inB * inB;
  }
  const length = Math.sqrt(squareA * squareB);
  return length === 0 ? null : product / length;
}
