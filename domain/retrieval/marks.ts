/** Dirty marks in a word: how the write of a unit to an index stands. */

/** After so many attempts without an outcome (`unheard`) a mark is taken with the marks of its own unit only. */
export const ALONE_AFTER_ATTEMPTS = 3;

/**
 * `waiting`: nobody has tried. `taken`: a worker writes it, or died at it. `postponed`: the index was away, or a vector is
 * missing. `set_aside`: the worker or the index could not take it, and it is tried alone.
 */
export const MARK_STATES = ['waiting', 'taken', 'postponed', 'set_aside'] as const;
export type MarkState = (typeof MARK_STATES)[number];

/** How the write of the mark stands. */
export function markState(mark: {
  readonly attempts: number;
  readonly unheardAttempts: number;
}): MarkState {
  if (mark.attempts === 0) return 'waiting';
  if (mark.unheardAttempts === 0) return 'postponed';
  return mark.unheardAttempts >= ALONE_AFTER_ATTEMPTS ? 'set_aside' : 'taken';
}
