/**
 * Ends the SQL statements of a transaction that nobody waits for any more. The server is asked on another connection,
 * because the one of the transaction is busy with the statement.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'slonik';
import type { Queryable } from './queryable.ts';

/**
 * Between an abort and the first request to cancel, and between one request and the next. Most statements end by
 * themselves within it. A cancelled one costs its connection, which the driver closes.
 */
const CANCEL_EVERY_MS = 10;

/**
 * Runs `work` on the transaction of the server process `pid`. Once the signal is aborted, whatever statement the
 * process runs is cancelled, again and again until `work` has ended: a request that arrives between two statements has
 * no effect. `work` then fails with a `StatementCancelledError`, unless it was just done.
 *
 * The transaction stays open until a request that was sent is answered. So no request can meet what the connection does
 * next. A request that still waits for a connection is not sent any more, and nothing waits for it: otherwise a pool
 * whose connections all wait for such requests would never have one again.
 */
export async function cancelledBy<T>(
  signal: AbortSignal,
  db: Queryable,
  pid: number,
  work: () => Promise<T>,
): Promise<T> {
  let cancelling: AbortController | null = null;
  let sent: Promise<unknown> = Promise.resolve();
  const cancelOnce = (ended: AbortSignal): Promise<unknown> =>
    db.transaction(async (other) => {
      if (ended.aborted) return;
      sent = other.query(sql.unsafe`select pg_cancel_backend(${pid})`);
      await sent;
    });
  const cancelUntil = async (ended: AbortSignal): Promise<void> => {
    while (!ended.aborted) {
      try {
        await sleep(CANCEL_EVERY_MS, undefined, { signal: ended });
        await cancelOnce(ended);
      } catch {
        // The work has ended, or the server does not answer. Then its own limit ends the statement.
      }
    }
  };
  const begin = (): void => {
    cancelling = new AbortController();
    void cancelUntil(cancelling.signal);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', begin);
    (cancelling as AbortController | null)?.abort();
    await Promise.allSettled([sent]);
  }
}
