/**
 * The rows that a search needs in any case: those of its preparation and those of its answer. They have a time limit of
 * their own, because slow strategies may have used up the deadline. After this time the database counts as away.
 */
import { Refusal } from '../../domain/errors.ts';
import type { TransactionLimits } from '../../stores/postgres/pool.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { partWithin, reasonOf } from './deadline.ts';
import type { SearchDependencies } from './dependencies.ts';

/** Milliseconds for all rows that are read in one transaction; the wait for a connection counts. */
const ROWS_TIMEOUT_MS = 5_000;
const RETRY_AFTER_SECONDS = 2;

type Rows = Pick<SearchDependencies, 'inAccount' | 'rowsTimeoutMs'>;

/** The reader of the rows. */
export interface RowsFor {
  readonly accountId: string;
  /** A search without a deadline waits for its rows as long as it takes. */
  readonly deadlineEnabled: boolean;
  readonly signal: AbortSignal;
}

/** The answer of `read` within the time for rows. Throws a refusal `unavailable` after it. */
async function inTime<T>(
  { rowsTimeoutMs = ROWS_TIMEOUT_MS }: Rows,
  { deadlineEnabled, signal }: RowsFor,
  read: (limits: TransactionLimits & { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const timeoutMs = deadlineEnabled ? rowsTimeoutMs : null;
  try {
    return await partWithin(timeoutMs, signal, (within) =>
      read({ statementTimeoutMs: timeoutMs, signal: within, readOnly: true }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (reasonOf(error) === null) throw error;
    throw new Refusal('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

/**
 * Runs `work` in a transaction of the account. The signal ends it. Throws a refusal `unavailable` after its time, which
 * a search without a deadline does not have.
 */
export function readRows<T>(
  dependencies: Rows,
  of: RowsFor,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  return inTime(dependencies, of, (limits) => dependencies.inAccount(of.accountId, work, limits));
}

/** A later part that a transaction still reads after it has returned its rows. */
export interface LaterRows<T> {
  /** Waits for it until the signal gives it up. Throws what the transaction throws. */
  read(signal: AbortSignal): Promise<T>;
  /** Ends the SQL statement, unless it has ended. Callers that no longer wait use it. */
  giveUp(): void;
}

/**
 * As `readRows`. The same transaction goes on to read `later`, which the search can do without. `later` has its own
 * time limit, and only a caller that waits for it sees its failure.
 */
export async function readRowsThen<T, L>(
  dependencies: Rows,
  of: RowsFor,
  work: (stores: Stores) => Promise<T>,
  later: (stores: Stores, rows: T) => Promise<L>,
): Promise<{ readonly rows: T; readonly later: LaterRows<L> }> {
  const answered = Promise.withResolvers<T>();
  const over = new AbortController();
  let hasEnded = false;
  const giveUp = (): void => {
    if (!hasEnded) over.abort();
  };
  const begin = async ({ signal, ...limits }: TransactionLimits & { signal: AbortSignal }) => {
    const readBoth = async (stores: Stores): Promise<L> => {
      const rows = await work(stores);
      answered.resolve(rows);
      return later(stores, rows);
    };
    const either = AbortSignal.any([signal, over.signal]);
    const read = dependencies.inAccount(of.accountId, readBoth, { ...limits, signal: either });
    const ended = read.finally(() => {
      hasEnded = true;
    });
    ended.catch(answered.reject);
    return { rows: await answered.promise, ended };
  };
  const { ended, rows } = await inTime(dependencies, of, begin);
  const read = async (signal: AbortSignal): Promise<L> => {
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await ended;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  };
  return { rows, later: { read, giveUp } };
}
