/** How the failure of a run's workflow is kept in its row: a class of the closed list. */
import { ERROR_CLASSES, type ErrorClass } from '../error-class.ts';

const CLASS_BY_CODE: ReadonlyMap<string, ErrorClass> = new Map([
  ['DB_UNAVAILABLE', 'transport_error'],
  ['UNAVAILABLE', 'transport_error'],
  ['TIMEOUT', 'request_timeout'],
  ...ERROR_CLASSES.map((errorClass) => [errorClass.toUpperCase(), errorClass] as const),
]);

/** Failures that pass by themselves: an activity that meets one is tried again without end. */
const PASSING: ReadonlySet<string> = new Set([
  'DB_CONFLICT',
  'DB_UNAVAILABLE',
  'TIMEOUT',
  'UNAVAILABLE',
]);

/** The class of a failure code; `internal_error` for codes that have no class of their own. */
export function errorClassOf(code: string): ErrorClass {
  return CLASS_BY_CODE.get(code) ?? 'internal_error';
}

/** Whether waiting mends the failure. */
export function isPassing(code: string): boolean {
  return PASSING.has(code);
}
