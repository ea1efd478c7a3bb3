/**
 * The one slonik pool of a process, and how a query gets its account.
 *
 * Nothing here keeps session state: the account is set per transaction, releases reset nothing (a reset is a
 * round trip per query and drops prepared plans), and a session-level SET is forbidden by a test.
 */
import type { Queryable } from './queryable.ts';
import {
  createPool,
  createTypeParserPreset,
  SchemaValidationError,
  sql,
  type DatabasePool,
  type FragmentSqlToken,
  type Interceptor,
} from 'slonik';
import { z } from 'zod';
import { cancelledBy } from './cancelled-by.ts';
import { preparedStatements } from './prepared-statements.ts';
import { inheritJudges, judgeBy, type Judges } from './judging.ts';
import { keepingPromises } from './promised.ts';
import type { PromiseList } from '../promises/promise-list.ts';
import { parseTimestamp } from './timestamps.ts';

export type { Queryable } from './queryable.ts';

const rowParser: Interceptor = {
  name: 'row-parser',
  transformRow: (context, query, row) => {
    if (!context.resultParser) return row;
    const result = context.resultParser['~standard'].validate(row);
    if (result instanceof Promise) throw new TypeError('row schemas must be synchronous');
    if (result.issues) {
      // The row itself stays out of the error: it may hold content.
      throw new SchemaValidationError(query, {}, result.issues);
    }
    return result.value as typeof row;
  },
};

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('bigint outside the safe range');
  return value;
}

/** Runs `work` when it is the account's turn. */
export type TakeTurn = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

/** The turns of the pools that have some. */
const turnsOf = new WeakMap<Queryable, TakeTurn>();

/** The lists of the pools that keep one. */
const listOf = new WeakMap<Queryable, PromiseList>();

/**
 * Opens the pool. Without `promises` its transactions can take nothing from anybody (`promised.ts`); without `judges` they
 * write no texts to accounts in which something is to be forgotten (`forgetting/judging.ts`). With `turns`, the transactions of accounts wait for them before they ask for a connection.
 * `url` must name a role that owns nothing (see `assertLeastPrivilege`).
 * Statement and idle-in-transaction timeouts are in milliseconds. `interceptors` see every query after our own.
 */
export async function openPool(
  url: string,
  options: {
    readonly maxPoolSize: number;
    readonly statementTimeoutMs?: number;
    readonly interceptors?: readonly Interceptor[];
    readonly turns?: TakeTurn;
    readonly promises?: PromiseList;
    readonly judges?: Judges;
  },
): Promise<DatabasePool> {
  const pool = await createPool(url, {
    maxPoolSize: options.maxPoolSize,
    idleTimeout: 60_000,
    statementTimeout: options.statementTimeoutMs ?? 30_000,
    idleInTransactionSessionTimeout: 30_000,
    connectionRetryLimit: 0,
    queryRetryLimit: 2,
    transactionRetryLimit: 5,
    captureStackTrace: false,
    resetConnection: async () => {},
    interceptors: [preparedStatements(), rowParser, ...(options.interceptors ?? [])],
    typeParsers: [
      ...createTypeParserPreset().filter(
        ({ name }) => name !== 'timestamptz' && name !== 'int8' && name !== 'timestamp',
      ),
      { name: 'timestamptz', parse: parseTimestamp },
      { name: 'int8', parse: parseSafeInteger },
    ],
  });
  // The loss of an idle connection needs no action: the next query opens another one, or fails.
  pool.on('error', () => undefined);
  if (options.turns !== undefined) turnsOf.set(pool, options.turns);
  if (options.promises !== undefined) listOf.set(pool, options.promises);
  if (options.judges !== undefined) judgeBy(pool, options.judges);
  return pool;
}

/** The options of a transaction, with its time limits. */
export interface TransactionLimits {
  /** Milliseconds after which the server ends an SQL statement; null or left out: its usual limit. */
  readonly statementTimeoutMs?: number | null;
  /** After an abort no transaction begins, and the running SQL statement is cancelled. */
  readonly signal?: AbortSignal;
  /** The transaction only reads, and the server enforces this. Its answer does not wait for its commit. */
  readonly readOnly?: boolean;
  /** The transaction only reads, and all of it sees the database as its first query does. */
  readonly snapshot?: boolean;
}

const serverProcess = z.object({ pid: z.number().int() });
const NOT_BEGUN = Symbol('not begun');

/**
 * The settings that hold for one transaction. Long conditions under row security take Postgres longer to plan than to run,
 * and by itself it plans some of them anew each time. Its plans for any parameters are as good: the test on plans judges
 * each query under both.
 */
function settingsOf(
  accountId: string,
  { readOnly = false, statementTimeoutMs = null }: TransactionLimits,
): FragmentSqlToken {
  const settings = [
    sql.fragment`set_config('app.account_id', ${accountId}, true)`,
    sql.fragment`set_config('plan_cache_mode', 'force_generic_plan', true)`,
    ...(statementTimeoutMs === null
      ? []
      : [
          sql.fragment`set_config('statement_timeout', ${`${Math.ceil(statementTimeoutMs)}ms`}, true)`,
        ]),
    ...(readOnly ? [sql.fragment`set_config('transaction_read_only', 'on', true)`] : []),
  ];
  return sql.fragment`${sql.join(settings, sql.fragment`, `)}`;
}

/** Answers before the transaction has ended. Once it has read what it was to read, its end can change nothing. */
function beforeItsEnd<T>(db: Queryable, work: (transaction: Queryable) => Promise<T>): Promise<T> {
  const answer = Promise.withResolvers<T>();
  db.transaction(async (transaction) => answer.resolve(await work(transaction))).catch(
    answer.reject,
  );
  return answer.promise;
}

/**
 * Runs `work` in one transaction under the row security of `accountId`. A caller that gives up waiting would leave its
 * SQL statement running: `statementTimeoutMs` ends it even if the database hears no more of the caller, `signal` ends it
 * at once. What an aborted signal ended is rejected with the reason of the signal or with an error of the database.
 */
export async function withAccount<T>(
  db: Queryable,
  accountId: string,
  work: (transaction: Queryable) => Promise<T>,
  limits: TransactionLimits = {},
): Promise<T> {
  const { readOnly = false, signal } = limits;
  const settings = settingsOf(accountId, limits);
  const kept = (transaction: Queryable): Promise<T> => {
    if (readOnly) return work(transaction);
    inheritJudges(db, transaction);
    return keepingPromises(transaction, accountId, listOf.get(db), () => work(transaction));
  };
  const run = async (transaction: Queryable): Promise<T | typeof NOT_BEGUN> => {
    if (limits.snapshot === true) {
      await transaction.query(
        sql.unsafe`set transaction isolation level repeatable read, read only`,
      );
    }
    if (signal === undefined) {
      await transaction.query(sql.unsafe`select ${settings}`);
      return kept(transaction);
    }
    // It may have waited for its connection. An error here would close the connection.
    if (signal.aborted) return NOT_BEGUN;
    const { pid } = await transaction.one(
      sql.type(serverProcess)`select pg_backend_pid() as pid, ${settings}`,
    );
    return cancelledBy(signal, db, pid, () => kept(transaction));
  };
  return inTurn(db, accountId, async () => {
    signal?.throwIfAborted();
    const ended = await (readOnly ? beforeItsEnd(db, run) : db.transaction(run));
    if (ended === NOT_BEGUN) throw signal?.reason;
    return ended;
  });
}

/** Runs `work` when it is the account's turn: for a function of the database that sets the account itself. */
export function inTurn<T>(db: Queryable, accountId: string, work: () => Promise<T>): Promise<T> {
  const takeTurn = turnsOf.get(db);
  return takeTurn === undefined ? work() : takeTurn(accountId, work);
}
