/**
 * One component check: bounded in time, never throwing. It names a failure by a word of the closed list of
 * error classes.
 */
import { isAway } from '../../domain/availability.ts';
import { ModelFailure, type ErrorClass } from '../../domain/error-class.ts';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import { within } from '../../engine/async.ts';

export const CHECK_TIMEOUT_MS = 2_000;

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errorClass: ErrorClass };

class CheckTimeoutError extends Error {
  override readonly name = 'CheckTimeoutError';
}

/** What the indexes answer to a missing or wrong key. */
const KEY_REFUSALS: ReadonlySet<string | null> = new Set([
  '401',
  '403',
  'invalid_api_key',
  'missing_authorization_header',
]);

function classifyIndexFailure({ reason, code }: IndexFailure): ErrorClass {
  if (reason === 'away') return 'transport_error';
  if (reason === 'timeout') return 'request_timeout';
  return KEY_REFUSALS.has(code) ? 'credentials_rejected' : 'internal_error';
}

function classify(error: unknown): ErrorClass {
  if (error instanceof CheckTimeoutError) return 'request_timeout';
  if (error instanceof ModelFailure) return error.errorClass;
  if (error instanceof IndexFailure) return classifyIndexFailure(error);
  return isAway(error) ? 'transport_error' : 'internal_error';
}

/** The answer of `ask`, or the class of its failure; a late answer counts as `request_timeout`. */
export async function bounded<T>(
  ask: () => Promise<T>,
  timeoutMs: number = CHECK_TIMEOUT_MS,
): Promise<Checked<T>> {
  try {
    const value = await within(timeoutMs, ask(), () => {
      throw new CheckTimeoutError();
    });
    return { ok: true, value };
  } catch (error) {
    return { ok: false, errorClass: classify(error) };
  }
}

export type ComponentStatus = 'ok' | 'error' | 'not_applicable';

/** The common head of every check in the report. */
export function statusOf(checked: Checked<unknown>): {
  readonly status: ComponentStatus;
  readonly error_class?: ErrorClass;
} {
  return checked.ok ? { status: 'ok' } : { status: 'error', error_class: checked.errorClass };
}
