/**
 * Waits for extraction to come to its end. Who waits is woken by a notice that something of the account has ended, and
 * asks then, and from time to time in case the notice was lost. Questions that find nothing grow apart. Whoever waits is
 * looked up again before each question, so that a wait ends soon after its caller's credential, and soon after a change of
 * its caller's rights.
 */
import type { Caller } from '../../domain/identity/caller.ts';
import { pause } from '../../engine/async.ts';
import { callerHasChanged, type Asked } from '../caller-now.ts';
import type { RequestContext } from '../operation.ts';

const FIRST_PAUSE_MS = 15;
const LONGEST_PAUSE_MS = 100;
const GROWTH = 1.4;
/** The longest time without a question, in milliseconds. */
const LOOK_AGAIN_MS = 500;

type Waiting = Asked<Caller> &
  Pick<RequestContext<Caller>, 'caller' | 'nextSettlement' | 'signal' | 'startedAt'>;

/**
 * Returns once `isSettled` answers true, the caller's rights have changed, `waitMs` are over since the request began, or
 * the signal of the request fires. Rejects when asking fails, and with `unauthorized` once the credential has ended.
 */
export async function waitUntilSettled(
  context: Waiting,
  isSettled: () => Promise<boolean>,
  waitMs: number,
): Promise<void> {
  const { caller, nextSettlement, signal, startedAt = performance.now() } = context;
  const deadline = startedAt + waitMs;
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const left = deadline - performance.now();
    if (left <= 0) return;
    const asked = new AbortController();
    // Before the question, so that no end between its answer and the wait is missed.
    const next = nextSettlement(
      caller.accountId,
      Math.min(LOOK_AGAIN_MS, left),
      AbortSignal.any([signal, asked.signal]),
    );
    try {
      if ((await callerHasChanged(context)) || (await isSettled())) return;
      // An abort ends both early; the caller then reads the status as it is.
      await pause(Math.min(pauseMs, left), signal);
      await next;
    } finally {
      asked.abort();
    }
    pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS);
  }
}
