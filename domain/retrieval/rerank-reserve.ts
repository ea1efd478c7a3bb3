/** How much of its deadline a search keeps back for the reranker, by how long the reranker took lately. */

/** Calls that the reserve is measured on: the last ones. */
export const MEASURED_CALLS = 100;
/** Share of the measured calls that end within the reserve, before the margin. */
const SHARE_IN_TIME = 0.9;
const MARGIN = 1.2;
/** Milliseconds before a call was measured. */
const FIRST_RESERVE_MS = 120;
const LEAST_RESERVE_MS = 50;
/** The strategies have the other half. */
const MOST_RESERVE_SHARE = 0.5;

/**
 * Milliseconds that are usually enough for a call: the 90th percentile of the calls with a margin of a fifth, at least
 * 50 ms. `callsMs` are the durations of the last calls, in any order.
 */
export function rerankTimeMs(callsMs: readonly number[]): number {
  const inOrder = callsMs.toSorted((a, b) => a - b);
  const slow = inOrder[Math.ceil(SHARE_IN_TIME * inOrder.length) - 1];
  return Math.max(LEAST_RESERVE_MS, slow === undefined ? FIRST_RESERVE_MS : slow * MARGIN);
}

/** Milliseconds that are kept back: what is usually enough, and at most half of the deadline. */
export function rerankReserveMs(callsMs: readonly number[], deadlineMs: number): number {
  return Math.min(rerankTimeMs(callsMs), deadlineMs * MOST_RESERVE_SHARE);
}
