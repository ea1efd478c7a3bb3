/** Cosine of the angle between two vectors of one width, -1 to 1; null when one of them has no direction. */
export function cosineOf(a: readonly number[], b: readonly number[]): number | null {
  let [product, squareA, squareB] = [0, 0, 0];
  for (const [n, inA] of a.entries()) {
    const inB = b[n] ?? 0;
    product += inA * inB;
    squareA += inA * inA;
    squareB += inB * inB;
  }
  const length = Math.sqrt(squareA * squareB);
  return length === 0 ? null : product / length;
}
