/** Health of model calls over a window, from the ledger of provider attempts. */
import type { ErrorClass } from '../../domain/error-class.ts';
import type { AttemptCount } from '../../stores/postgres/readiness.store.ts';

export const MODEL_CALLS_WINDOW_SECONDS = 86_400;

export interface ModelCalls {
  readonly window_seconds: number;
  /** Calls that reached a provider; reservations and cancelled reservations did not. */
  readonly attempts: number;
  readonly errors: number;
  /** Errors / attempts, four decimals; 0 without attempts. */
  readonly error_rate: number;
  /** Finished calls for which the provider reported no token usage. */
  readonly unmetered: number;
  readonly error_classes: Partial<Record<ErrorClass, number>>;
}

function isFailure(attempt: AttemptCount): boolean {
  return attempt.state === 'error' || attempt.state === 'timeout';
}

function sum(attempts: readonly AttemptCount[]): number {
  return attempts.reduce((total, attempt) => total + attempt.total, 0);
}

export function modelCalls(counts: readonly AttemptCount[]): ModelCalls {
  const made = counts.filter(({ state }) => state !== 'reserved' && state !== 'cancelled');
  const failures = made.filter(isFailure);
  const errorClasses: Partial<Record<ErrorClass, number>> = {};
  for (const { error_class, total } of failures) {
    if (error_class !== null) errorClasses[error_class] = (errorClasses[error_class] ?? 0) + total;
  }
  const attempts = sum(made);
  const errors = sum(failures);
  return {
    window_seconds: MODEL_CALLS_WINDOW_SECONDS,
    attempts,
    errors,
    error_rate: attempts === 0 ? 0 : Math.round((errors / attempts) * 10_000) / 10_000,
    unmetered: sum(made.filter(({ state, metered }) => state !== 'dispatched' && !metered)),
    error_classes: errorClasses,
  };
}
