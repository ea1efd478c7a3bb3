/** How a failed extraction settles its anchor. */
import { failureStatus, type ErrorClass, type FailureStatus } from '../error-class.ts';

export interface Settlement {
  readonly status: FailureStatus;
  /** That of the failure, or what it turned out to be. */
  readonly errorClass: ErrorClass;
  /** Until the next attempt; 0 where none is made without an operator. */
  readonly delayMs: number;
  /** A wait for the circuit, or for a day with tokens, is no attempt. */
  readonly countsAttempt: boolean;
}

/** An anchor that we failed ourselves this often, or whose drains were lost this often in a row, is given up. */
export const MOST_INTERNAL_ERRORS = 10;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 60_000;
/** Classes of calls that were not made, and will be when their time comes. */
const KEPT_BACK: ReadonlySet<ErrorClass> = new Set(['circuit_open', 'token_budget_exhausted']);

/** Whether no call was made, and one will be when its time comes. */
export function isKeptBack(errorClass: ErrorClass): boolean {
  return KEPT_BACK.has(errorClass);
}

export interface FailureFacts {
  /** Milliseconds until the provider, its circuit or a daily limit lets calls through; null when that is not known. */
  readonly retryAfterMs?: number | null;
  /** Whether this service failed, and not the provider. */
  readonly isOurs?: boolean;
  /** How often it failed before. */
  readonly ownFailures?: number;
}

/**
 * The settlement of a failure of `errorClass` after `attemptCount` earlier attempts. Transient failures are
 * tried again after 1 s, doubling to 60 s, without end; a provider that names a later time (`retryAfterMs`) is
 * heard up to those 60 s. What a circuit or a daily limit keeps back waits for `retryAfterMs`, the time until calls are
 * let through. The tenth failure of our own is the last: a defect is terminal, and a text that was late is too large for
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
  if (isKeptBack(errorClass)) {
    return { status, errorClass, delayMs: retryAfterMs ?? delayMs, countsAttempt: false };
  }
  const askedMs = Math.min(retryAfterMs ?? 0, LONGEST_DELAY_MS);
  return { status, errorClass, delayMs: Math.max(delayMs, askedMs), countsAttempt: true };
}
