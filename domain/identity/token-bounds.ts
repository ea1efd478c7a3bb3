/** What a person who signs in again and again, by a script that never signs out, may pile up. */

/** Tokens and sessions of one login that are good at a time; one more ends the one that would end first. */
export const MOST_GOOD_TOKENS = 100;

/** Ended tokens are kept this long: until then what was written with one tells that a person wrote it. */
const KEPT_AFTER_END_MS = 30 * 86_400_000;

/** Of those that are older a sign-in, which makes one, removes this many. */
const MOST_PRUNED_TOKENS = 200;

/** The bounds for a login that gets a token at `now`. */
export function tokenBounds(now: Date) {
  return {
    most: MOST_GOOD_TOKENS,
    now,
    pruned: MOST_PRUNED_TOKENS,
    since: new Date(now.getTime() - KEPT_AFTER_END_MS),
  };
}
