/** Which messages stand around others. */

/** A message with another one that it stands beside. */
export interface StandsBeside {
  readonly id: string;
  readonly beside: string;
  /** Whether it was said after that one. */
  readonly is_after: boolean;
}

/** Messages around others, each once. */
export interface Around {
  readonly all: readonly string[];
  /** Those that were said after one of them. */
  readonly after: readonly string[];
}

/** The messages around the given ones; the given ones are left out. `rows` may tell of others too. */
export function aroundOf(rows: readonly StandsBeside[], messageIds: Iterable<string>): Around {
  const given = new Set(messageIds);
  const meant = rows.filter(({ beside, id }) => given.has(beside) && !given.has(id));
  return {
    all: [...new Set(meant.map(({ id }) => id))],
    after: [...new Set(meant.filter((row) => row.is_after).map(({ id }) => id))],
  };
}
