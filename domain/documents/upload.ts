/** What an upload of bytes does, given the latest version of their document. */
import { failureStatus, type ErrorClass } from '../error-class.ts';

export interface LatestVersion {
  readonly hasSameBytes: boolean;
  readonly hasSameMediaType: boolean;
  readonly isParsed: boolean;
  /** Why the last attempt to parse it failed; null when none did. */
  readonly parseErrorClass: ErrorClass | null;
  /** Whether a run of it has not ended. */
  readonly isUnderWay: boolean;
}

/** Whether no run will read the version: one that failed for good is not tried again, even before its run has ended. */
function isGivenUp({ isParsed, parseErrorClass, isUnderWay }: LatestVersion): boolean {
  if (isParsed) return false;
  return !isUnderWay || (parseErrorClass !== null && failureStatus(parseErrorClass) !== 'failed');
}

/**
 * `add`: the bytes become a new version. `read_again`: they are those of the latest version, which could not be read.
 * `unchanged`: they are those of the latest version, which was read or will be. Bytes that could not be read as one
 * media type become a new version when they are sent as another.
 */
export function uploadStep(latest: LatestVersion | null): 'add' | 'read_again' | 'unchanged' {
  if (latest === null || !latest.hasSameBytes) return 'add';
  if (!isGivenUp(latest)) return 'unchanged';
  return latest.hasSameMediaType ? 'read_again' : 'add';
}
