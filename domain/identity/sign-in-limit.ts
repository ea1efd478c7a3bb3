/**
 * How often sign-in may be tried: 10 failures per e-mail and 100 attempts per address in 15 minutes.
 * Refused attempts are not counted, so the window always moves on.
 */

export const SIGN_IN_WINDOW_MS = 15 * 60_000;
export const MAX_FAILURES_PER_EMAIL = 10;
export const MAX_ATTEMPTS_PER_ADDRESS = 100;

export interface RecentAttempts {
  /** Failures of this e-mail inside the window, those under way included. */
  readonly failures: number;
  /** Attempts from this address inside the window; 0 when the address is unknown. */
  readonly attempts: number;
  /** When the oldest of each was made (milliseconds of the epoch); null when there is none. */
  readonly oldestFailureAt: number | null;
  readonly oldestAttemptAt: number | null;
}

/** Seconds to wait before the next attempt, or null when it may be made at `now` (epoch milliseconds). */
export function signInRetryAfter(recent: RecentAttempts, now: number): number | null {
  const waits = [
    recent.failures >= MAX_FAILURES_PER_EMAIL ? recent.oldestFailureAt : null,
    recent.attempts >= MAX_ATTEMPTS_PER_ADDRESS ? recent.oldestAttemptAt : null,
  ].filter((oldest) => oldest !== null);
  if (waits.length === 0) return null;
  const freeAt = Math.max(...waits) + SIGN_IN_WINDOW_MS;
  return Math.max(1, Math.ceil((freeAt - now) / 1000));
}
