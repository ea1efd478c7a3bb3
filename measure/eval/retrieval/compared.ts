/** Compares rankings of the same question. Pure. */
import type { Ranking } from './asked.ts';

const COMPARED = 10;

/** The first ten, those of one score in the order of the set's ids. */
function firstOf(ranking: Ranking): string {
  return JSON.stringify(
    ranking.toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, COMPARED),
  );
}

/**
 * Whether both begin with the same ten ids and scores. Messages of one score may stand in any order, because the ids
 * that the service gives them decide it.
 */
export function isSameRanking(one: Ranking, other: Ranking): boolean {
  return firstOf(one) === firstOf(other);
}

/** The messages with their sessions in the opposite order; each session keeps the order of its turns. */
export function sessionsReversed<T extends { readonly session: string }>(
  messages: readonly T[],
): T[] {
  return [...Map.groupBy(messages, ({ session }) => session).values()].toReversed().flat();
}
