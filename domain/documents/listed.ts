/** How a version of a document stands, as a list shows it: without a look at each of its passages. */
import { failureStatus, type ErrorClass } from '../error-class.ts';

export const LISTED_STATES = ['at_work', 'in_force', 'replaced', 'failed', 'withdrawn'] as const;
export type ListedState = (typeof LISTED_STATES)[number];

export interface ListedVersion {
  readonly isWithdrawal: boolean;
  readonly isSettled: boolean;
  readonly isReplaced: boolean;
  /** Why the last attempt to read it failed; null when none did. */
  readonly errorClass: ErrorClass | null;
}

/**
 * `withdrawn`: a withdrawal. `failed`: it could not be read, and is not tried again by itself. `replaced`: there is a later
 * version. `at_work`: it is read, or its passages are. `in_force`: all of it is done.
 */
export function listedState(version: ListedVersion): ListedState {
  const { errorClass, isReplaced, isSettled, isWithdrawal } = version;
  if (isWithdrawal) return 'withdrawn';
  if (errorClass !== null && failureStatus(errorClass) !== 'failed') return 'failed';
  if (isReplaced) return 'replaced';
  return isSettled ? 'in_force' : 'at_work';
}
