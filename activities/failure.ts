/**
 * An activity that fails reports a code only. The original error stays in the process, because messages, details
 * and causes of drivers and providers quote content.
 */
import {
  activityInfo,
  ApplicationFailure,
  CancelledFailure,
  CompleteAsyncError,
} from '@temporalio/activity';
import { isPassing } from '../domain/actors/run-failure.ts';
import { FAILURE_CODES } from '../domain/workflow-history/vocabulary.ts';

const MAX_CAUSES = 5;
const SQLSTATE = /^[0-9A-Z]{5}$/;
const NETWORK = /^(?:ECONN|EPIPE|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|UND_ERR)/;

/** First two characters of an SQLSTATE: what the failure means for a retry. */
const DATABASE_CLASSES: ReadonlyMap<string, string> = new Map([
  ['08', 'DB_UNAVAILABLE'],
  ['53', 'DB_UNAVAILABLE'],
  ['57', 'DB_UNAVAILABLE'],
  ['40', 'DB_CONFLICT'],
  ['55', 'DB_CONFLICT'],
  ['23', 'DB_CONSTRAINT'],
]);

/** Errors of other realms and DOMExceptions are no instances of our Error, so only the shape counts. */
function chainOf(error: unknown): object[] {
  const chain: object[] = [];
  for (let at = error; typeof at === 'object' && at !== null && chain.length < MAX_CAUSES;) {
    chain.push(at);
    at = Reflect.get(at, 'cause');
  }
  return chain;
}

function textOf(error: object, field: string): string | null {
  const value: unknown = Reflect.get(error, field);
  return typeof value === 'string' ? value : null;
}

function codeOfOne(error: object): string | null {
  if (error instanceof ApplicationFailure && FAILURE_CODES.has(error.type ?? '')) {
    return error.type ?? null;
  }
  if (textOf(error, 'name') === 'TimeoutError') return 'TIMEOUT';
  const errorClass = textOf(error, 'errorClass')?.toUpperCase();
  if (errorClass !== undefined && FAILURE_CODES.has(errorClass)) return errorClass;
  const code = textOf(error, 'code');
  if (code === null) return null;
  if (NETWORK.test(code)) return 'UNAVAILABLE';
  if (SQLSTATE.test(code)) return DATABASE_CLASSES.get(code.slice(0, 2)) ?? 'DB_ERROR';
  return null;
}

/** The code of an error, looked for along its causes; INTERNAL when none is known. */
export function failureCode(error: unknown): string {
  for (const one of chainOf(error)) {
    const code = codeOfOne(one);
    if (code !== null) return code;
  }
  return 'INTERNAL';
}

/** The error that may be thrown out of an activity instead of `error`. */
export function safeFailure(error: unknown): Error {
  if (error instanceof CompleteAsyncError) return error;
  if (error instanceof CancelledFailure) return new CancelledFailure('CANCELLED');
  const code = failureCode(error);
  if (!(error instanceof ApplicationFailure)) {
    return ApplicationFailure.create({ message: code, type: code });
  }
  return ApplicationFailure.create({
    message: code,
    type: code,
    nonRetryable: error.nonRetryable ?? false,
    ...(error.nextRetryDelay == null ? {} : { nextRetryDelay: error.nextRetryDelay }),
    ...(error.category == null ? {} : { category: error.category }),
  });
}

/** At this attempt an activity gives up a failure that waiting does not mend; the reconcile starts its run again. */
const GIVE_UP_AT_ATTEMPT = 4;

/**
 * Runs the work of an activity that its workflow retries without end: the activity itself says which failures are final.
 * `isFinal` names codes that another attempt cannot change.
 */
export async function unlessHopeless<T>(
  work: () => Promise<T>,
  isFinal: (code: string) => boolean = () => false,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = failureCode(error);
    const isGivenUp = !isPassing(code) && activityInfo().attempt >= GIVE_UP_AT_ATTEMPT;
    if (!isFinal(code) && !isGivenUp) throw error;
    throw ApplicationFailure.nonRetryable(code, code);
  }
}
