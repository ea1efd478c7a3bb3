/**
 * The connections of a process are shared by turns of accounts: whoever asks most waits for itself. Without turns the
 * pool serves first come, first served, and one account's crowd stands before everybody else's request.
 */
import { availableParallelism } from 'node:os';
import { createSemaphore } from '../../engine/semaphore.ts';
import type { TakeTurn } from '../../stores/postgres/pool.ts';

/** Connections for questions that have no account yet: whose credential is it, which mailbox has work. */
const KEPT_FREE = 2;
/** Of the others one account takes at most this share at a time, so that another one finds a free one. */
const MOST_OF_ONE_ACCOUNT_SHARE = 0.5;
/**
 * Nor more than so many for each core. Transactions that are under way slow each other down, in the process and in Postgres:
 * one more of a busy account brings it nothing, and costs the others.
 */
const MOST_OF_ONE_ACCOUNT_PER_CORE = 2;

/** Turns for a pool of `poolSize` connections; a pool too small to be shared gives one connection to each turn. */
export function databaseTurns(poolSize: number, cores = availableParallelism()): TakeTurn {
  const shared = Math.max(1, poolSize - KEPT_FREE);
  const ofOne = Math.min(
    Math.ceil(shared * MOST_OF_ONE_ACCOUNT_SHARE),
    cores * MOST_OF_ONE_ACCOUNT_PER_CORE,
  );
  const semaphore = createSemaphore(shared, ofOne);
  return (accountId, work) => semaphore.run(null, work, accountId);
}
