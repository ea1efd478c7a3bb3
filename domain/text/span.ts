/** Where a part stands in a text, counted in code points, as Postgres counts characters. */

export interface Span {
  /** Code points before the part. */
  readonly offset: number;
  /** Code points of the part, 1 or more. */
  readonly length: number;
}

/** The first half of a code point of two code units. */
const FIRST_HALF = /[\uD800-\uDBFF]/g;

/**
 * Finds parts of `text`, each where it stands first; null for a part that the text does not hold. The text is read once
 * to count its code points, however many parts are looked for.
 */
export function spanFinder(text: string): (part: string) => Span | null {
  let halves: readonly number[] | null = null;
  const pointsBefore = (unit: number): number => {
    halves ??= Array.from(text.matchAll(FIRST_HALF), ({ index }) => index);
    return unit - countBelow(halves, unit);
  };
  return (part) => {
    const at = part === '' ? -1 : text.indexOf(part);
    if (at === -1) return null;
    const offset = pointsBefore(at);
    return { offset, length: pointsBefore(at + part.length) - offset };
  };
}

/** How many of the ascending numbers are below `limit`. */
function countBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
