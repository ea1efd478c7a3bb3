/** A statement never stands before the newer one that ended it: that one moves up, with the score of the older. */

interface Ranked {
  readonly id: string;
  readonly score: number;
}

/**
 * `ranked` in its order, except that a statement comes after the one that ended it where both were found.
 * `endedBy` answers the id of the statement that ended another, or null.
 */
export function newerFirst<T extends Ranked>(
  ranked: readonly T[],
  endedBy: (id: string) => string | null,
): readonly T[] {
  const found = new Map(ranked.map((item) => [item.id, item]));
  const placed = new Map<string, T>();
  for (const item of ranked) {
    // The statement, the one that ended it, and so on; each gets at least the score of the first.
    const chain: T[] = [];
    const seen = new Set<string>();
    for (let next: T | undefined = item; next !== undefined;) {
      if (placed.has(next.id) || seen.has(next.id)) break;
      seen.add(next.id);
      chain.push({ ...next, score: Math.max(next.score, item.score) });
      next = found.get(endedBy(next.id) ?? '');
    }
    for (const lifted of chain.toReversed()) placed.set(lifted.id, lifted);
  }
  return [...placed.values()];
}
