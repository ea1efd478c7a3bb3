/** The workers' connection. Unlike the client's it must be open before a worker starts, so the process waits for it. */
import { NativeConnection } from '@temporalio/worker';
import { pause } from '../../engine/async.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 500;

/** Tries until Temporal answers. Rejects with the signal's reason once it aborts. */
export async function connectWhenServed(
  address: string,
  log: Log,
  signal: AbortSignal,
): Promise<NativeConnection> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    signal.throwIfAborted();
    try {
      return await NativeConnection.connect({ address });
    } catch (error) {
      if (wait === FIRST_WAIT_MS) log.warn('temporal.away', errorFields(error));
      await pause(wait, signal);
    }
  }
}
