/** What becomes of bytes that are handed in, by the latest version of their document. */
import { failureStatus, type ErrorClass } from '../models/error-class.ts';

export interface LatestVersion {
  readonly hasSameBytes: boolean;
  readonly hasSameMediaType: boolean;
  readonly isParsed: boolean;
  /** Why the last attempt to parse it failed; null when none did. */
  readonly parseErrorClass: ErrorClass | null;
  /** Whether a run of it has not ended. */
  readonly isUnderWay: boolean;
}

/** Nobody will read it: what failed for good is not tried again, even before its run has ended. */
function isGivenUp({ isParsed, parseErrorClass, isUnderWay }: LatestVersion): boolean {
  if (isParsed) return false;
  return !isUnderWay || (parseErrorClass !== null && failureStatus(parseErrorClass) !== 'failed');
}

/**
 * `add`: they are a new version. `read_again`: they are the latest, which nobody could read. `unchanged`: they are
 * the latest, and it was read or will be. Bytes that could not be read as what they were called are a new version
 * when they are called something else.
 */
export function submissionStep(latest: LatestVersion | null): 'add' | 'read_again' | 'unchanged' {
  if (latest === null || !latest.hasSameBytes) return 'add';
  if (!isGivenUp(latest)) return 'unchanged';
  return latest.hasSameMediaType ? 'read_again' : 'add';
}
