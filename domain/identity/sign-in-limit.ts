/**
 * How often sign-in may be tried within a window. The low limit for failures of an e-mail from one address stops a
 * guesser but not the person, who can sign in from another address. The high limit for failures of an e-mail over all
 * addresses stops a guesser with many addresses. Refused attempts are not counted, so the window always moves on.
 */

export const SIGN_IN_WINDOW_MS = 15 * 60_000;
const MOST_FAILURES_PER_EMAIL_AND_ADDRESS = 10;
const MOST_FAILURES_PER_EMAIL = 100;
/** Successes included, because each attempt from the address costs a password hash. */
const MOST_ATTEMPTS_PER_ADDRESS = 100;

/** Attempts inside the window, those under way included. */
export interface Attempts {
  readonly count: number;
  /** When the oldest was made (milliseconds of the epoch); null when there is none. */
  readonly oldestAt: number | null;
}

export interface RecentAttempts {
  /** Failures of this e-mail from this address. */
  readonly failuresHere: Attempts;
  /** Failures of this e-mail from anywhere. */
  readonly failures: Attempts;
  /** Attempts from this address; none when the address is unknown. */
  readonly fromAddress: Attempts;
}

/** Seconds to wait before the next attempt, or null when it may be made at `now` (epoch milliseconds). */
export function signInRetryAfter(recent: RecentAttempts, now: number): number | null {
  const reached = [
    { ...recent.failuresHere, most: MOST_FAILURES_PER_EMAIL_AND_ADDRESS },
    { ...recent.failures, most: MOST_FAILURES_PER_EMAIL },
    { ...recent.fromAddress, most: MOST_ATTEMPTS_PER_ADDRESS },
  ].filter(({ count, most }) => count >= most);
  if (reached.length === 0) return null;
  const freeAt = Math.max(...reached.map(({ oldestAt }) => oldestAt ?? now)) + SIGN_IN_WINDOW_MS;
  return Math.max(1, Math.ceil((freeAt - now) / 1000));
}
