/** What the other servers must hold before work starts, from servers that began to serve a moment ago. */
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import { pause } from '../../engine/async.ts';

const TRIES = 10;
const PAUSE_MS = 1_000;

/** Whether the index said no; of what it says, only an error of its own (5xx) may be over at the next try. */
function isRefusal({ code, reason }: IndexFailure): boolean {
  return reason === 'refused' && !/^5\d\d$/.test(code ?? '');
}

/**
 * Runs `prepare`, which may be repeated, until it succeeds. On a busy machine a server that has told that it is ready may
 * still drop a connection or answer late, and a start that ends for that has to be begun again by a person.
 * @throws what `prepare` throws: an `IndexFailure` after ten tries, when the index refused or once the signal aborts,
 * anything else at once.
 */
export async function prepared(
  prepare: () => Promise<void>,
  { pauseMs = PAUSE_MS, signal }: { readonly pauseMs?: number; readonly signal?: AbortSignal } = {},
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await prepare();
    } catch (error) {
      const isPassing = error instanceof IndexFailure && !isRefusal(error);
      if (!isPassing || tries === TRIES || signal?.aborted === true) throw error;
    }
    await pause(pauseMs, signal);
  }
}
