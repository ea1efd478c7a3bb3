/**
 * Waits for extraction to come to its end. The questions begin close together, since most extractions end
 * within milliseconds, and grow apart while nothing settles.
 */
import { pause } from '../../engine/async.ts';

const FIRST_PAUSE_MS = 15;
const LONGEST_PAUSE_MS = 100;
const GROWTH = 1.4;

/**
 * Returns once `isSettled` answers true, `waitMs` are over, or the signal fires. Rejects only when asking
 * fails.
 */
export async function waitUntilSettled(
  isSettled: () => Promise<boolean>,
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + waitMs;
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const left = deadline - performance.now();
    if (left <= 0) return;
    // An abort ends the sleep early; the caller then reads the status as it is.
    await pause(Math.min(pauseMs, left), signal);
    if (signal.aborted || (await isSettled())) return;
    pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS);
  }
}
