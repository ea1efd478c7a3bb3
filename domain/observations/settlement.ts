/** How a failed extraction settles its anchor. */
import { failureStatus, type ErrorClass, type FailureStatus } from '../error-class.ts';

export interface Settlement {
  readonly status: FailureStatus;
  /** That of the failure, or what it turned out to be. */
  readonly errorClass: ErrorClass;
  /** Until the next attempt; 0 where none is made without an operator. */
  readonly delayMs: number;
  /** A wait for the circuit is no attempt. */
  readonly countsAttempt: boolean;
}

/** An anchor that we failed ourselves this often, or whose drains were lost this often in a row, is given up. */
export const MOST_INTERNAL_ERRORS = 10;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;

export interface FailureFacts {
  /** Milliseconds until the provider or its circuit lets calls through; null when that is not known. */
  readonly retryAfterMs?: number | null;
  /** Whether this service failed, and not the provider. */
  readonly isOurs?: boolean;
  /** How often it failed before. */
  readonly ownFailures?: number;
}

/**
 * The settlement of a failure of `errorClass` after `attemptCount` earlier attempts. Transient failures are
 * tried again after 1 s, doubling to 60 s, without end; a provider that names a later time (`retryAfterMs`) is
 * heard up to those 60 s. What a circuit keeps back waits for `retryAfterMs`, the time until the circuit lets
 * calls through. The tenth failure of our own is the last: a defect is terminal, and a text that was late is too large for
 * the machine.
 */
export function settleFailure(
  failedAs: ErrorClass,
  attemptCount: number,
  facts: FailureFacts = {},
): Settlement {
  const { isOurs = false, ownFailures = 0, retryAfterMs = null } = facts;
  const isLast = isOurs && ownFailures + 1 >= MOST_INTERNAL_ERRORS;
  const errorClass = isLast && failedAs === 'request_timeout' ? 'source_too_large' : failedAs;
  const isGivenUp = isLast && errorClass === 'internal_error';
  const status = isGivenUp ? 'terminal' : failureStatus(errorClass);
  if (status !== 'failed') return { status, errorClass, delayMs: 0, countsAttempt: true };
  const doublings = Math.min(attemptCount, 16);
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** doublings, LONGEST_DELAY_MS);
  if (errorClass === 'circuit_open') {
    return { status, errorClass, delayMs: retryAfterMs ?? delayMs, countsAttempt: false };
  }
  const askedMs = Math.min(retryAfterMs ?? 0, LONGEST_DELAY_MS);
  return { status, errorClass, delayMs: Math.max(delayMs, askedMs), countsAttempt: true };
}
