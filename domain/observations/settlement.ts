/** How a failed extraction settles its anchor. */
import { failureStatus, type ErrorClass, type FailureStatus } from '../models/error-class.ts';

export interface Settlement {
  readonly status: FailureStatus;
  /** Until the next attempt; 0 where none is made without an operator. */
  readonly delayMs: number;
  /** A wait for the circuit is no attempt. */
  readonly countsAttempt: boolean;
}

/** An anchor that our own defects failed this often, or whose drains were lost this often in a row, is given up. */
export const MOST_INTERNAL_ERRORS = 10;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;

/**
 * The settlement of a failure of `errorClass` after `attemptCount` earlier attempts. Transient failures are
 * tried again after 1 s, doubling to 60 s, without end; a provider that names a later time (`retryAfterMs`) is
 * heard up to those 60 s. What a circuit keeps back waits for `retryAfterMs`, the time until the circuit lets
 * calls through. The tenth defect of ours is terminal; `internalErrors` counts those before.
 */
export function settleFailure(
  errorClass: ErrorClass,
  attemptCount: number,
  retryAfterMs: number | null = null,
  internalErrors = 0,
): Settlement {
  const isGivenUp = errorClass === 'internal_error' && internalErrors + 1 >= MOST_INTERNAL_ERRORS;
  const status = isGivenUp ? 'terminal' : failureStatus(errorClass);
  if (status !== 'failed') return { status, delayMs: 0, countsAttempt: true };
  const doublings = Math.min(attemptCount, 16);
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** doublings, LONGEST_DELAY_MS);
  if (errorClass === 'circuit_open') {
    return { status, delayMs: retryAfterMs ?? delayMs, countsAttempt: false };
  }
  const askedMs = Math.min(retryAfterMs ?? 0, LONGEST_DELAY_MS);
  return { status, delayMs: Math.max(delayMs, askedMs), countsAttempt: true };
}
