/**
 * The rows that a search cannot do without: what it prepares with, and what it answers. They have a time of their own,
 * because slow strategies may have used up the deadline. When it is over, the database counts as away.
 */
import { Refusal } from '../../domain/errors.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { partWithin, reasonOf, type Deadline } from './deadline.ts';
import type { SearchDependencies } from './dependencies.ts';

/** Milliseconds for all rows that are read in one transaction; the wait for a connection counts. */
const ROWS_TIMEOUT_MS = 5_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * Runs `work` in a transaction of the account. The signal ends it. Throws a refusal `unavailable` after its time, which
 * a search without a deadline does not have.
 */
export async function readRows<T>(
  { inAccount, rowsTimeoutMs = ROWS_TIMEOUT_MS }: SearchDependencies,
  accountId: string,
  deadline: Deadline,
  signal: AbortSignal,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const timeoutMs = deadline.remainingMs() === null ? null : rowsTimeoutMs;
  try {
    return await partWithin(timeoutMs, signal, (inTime) =>
      inAccount(accountId, work, { statementTimeoutMs: timeoutMs, signal: inTime, readOnly: true }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (reasonOf(error) === null) throw error;
    throw new Refusal('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
