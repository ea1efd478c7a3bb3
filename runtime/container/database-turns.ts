/**
 * The accounts of a process take turns on its connections, so the account that asks most waits for its own requests
 * only. Without turns the pool would serve in order of arrival, and a crowd of one account would delay all others.
 */
import { availableParallelism } from 'node:os';
import type { Demand } from '../../engine/demand.ts';
import { createSemaphore } from '../../engine/semaphore.ts';
import type { TakeTurn } from '../../stores/postgres/pool.ts';

/** Connections for queries without an account: which account a credential belongs to, which mailbox has work. */
const KEPT_FREE = 2;
/** One account takes at most this share of the other connections at a time, so that other accounts find a free one. */
const MOST_OF_ONE_ACCOUNT_SHARE = 0.5;
/**
 * Beside another busy account it takes at most two for each core. Transactions under way slow each other down, in the
 * process and in Postgres. An account that is alone may slow its own transactions, but not those of others.
 */
const BESIDE_OTHERS_PER_CORE = 2;
/**
 * An account that crowds the others (`engine/demand.ts`) gets this part of a connection for each core: one connection
 * for two cores, a third of the time. That leaves time for the others, and on a slower machine the rests are longer.
 */
const CROWDING_PER_CORE = 0.17;

/**
 * Turns for a pool of `poolSize` connections; a pool that is too small to be shared serves one turn at a time. `demand`
 * knows what else accounts ask of the process; without it no account counts as a crowd.
 */
export function databaseTurns(
  poolSize: number,
  demand?: Demand,
  cores = availableParallelism(),
): TakeTurn {
  const shared = Math.max(1, poolSize - KEPT_FREE);
  const ofOne = Math.ceil(shared * MOST_OF_ONE_ACCOUNT_SHARE);
  const shares = {
    mostOfOne: ofOne,
    besideOthers: Math.min(ofOne, cores * BESIDE_OTHERS_PER_CORE),
    ...(demand !== undefined && { ofCrowd: Math.min(ofOne, cores * CROWDING_PER_CORE) }),
  };
  const semaphore = createSemaphore(shared, shares, demand);
  return (accountId, work) => semaphore.run(null, work, accountId);
}
