/** How long a drain rests after it has looked for work. */

const TIMES_THE_LOOK = 3;
const LONGEST_REST_MS = 200;

/**
 * Milliseconds of rest after a look that took `tookMs`: on a busy machine each look then finds more, and what it costs is
 * shared by more.
 */
export function restAfterLook(tookMs: number): number {
  return Math.min(TIMES_THE_LOOK * tookMs, LONGEST_REST_MS);
}
