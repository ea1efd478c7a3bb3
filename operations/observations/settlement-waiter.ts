/**
 * Waits for extraction to come to its end. The questions begin close together, since most extractions end
 * within milliseconds, and grow apart while nothing settles. Whoever waits is asked for again before each question, so
 * that a wait ends soon after its caller's credential, and soon after a change of its caller's rights.
 */
import type { Caller } from '../../domain/identity/caller.ts';
import { pause } from '../../engine/async.ts';
import { callerHasChanged, type Asked } from '../caller-now.ts';
import type { RequestContext } from '../operation.ts';

const FIRST_PAUSE_MS = 15;
const LONGEST_PAUSE_MS = 100;
const GROWTH = 1.4;

/**
 * Returns once `isSettled` answers true, the caller's rights have changed, `waitMs` are over since the request began, or
 * the signal of the request fires. Rejects when asking fails, and with `unauthorized` once the credential has ended.
 */
export async function waitUntilSettled(
  context: Asked<Caller> & Pick<RequestContext, 'signal' | 'startedAt'>,
  isSettled: () => Promise<boolean>,
  waitMs: number,
): Promise<void> {
  const { signal, startedAt = performance.now() } = context;
  const deadline = startedAt + waitMs;
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const left = deadline - performance.now();
    if (left <= 0) return;
    // An abort ends the sleep early; the caller then reads the status as it is.
    await pause(Math.min(pauseMs, left), signal);
    if (signal.aborted || (await callerHasChanged(context)) || (await isSettled())) return;
    pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS);
  }
}
