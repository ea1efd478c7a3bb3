/** What a person who signs in again and again, by a script that never signs out, may pile up. */

/** Tokens and sessions of one login that are good at a time; one more ends the one that would end first. */
export const MOST_GOOD_TOKENS = 100;

/** Of those that ended longer ago than they are kept a sign-in, which makes one, removes this many. */
const MOST_PRUNED_TOKENS = 200;

const DAY_MS = 86_400_000;

/** The bounds for a login that gets a token at `now`. Ended ones are kept for `days`; null keeps them for ever. */
export function tokenBounds(now: Date, days: number | null) {
  return {
    most: MOST_GOOD_TOKENS,
    now,
    pruned: MOST_PRUNED_TOKENS,
    since: new Date(days === null ? 0 : now.getTime() - days * DAY_MS),
  };
}
