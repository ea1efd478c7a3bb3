/**
 * The connections of a process are shared by turns of accounts: whoever asks most waits for itself. Without turns the
 * pool serves first come, first served, and one account's crowd stands before everybody else's request.
 */
import { availableParallelism } from 'node:os';
import type { Demand } from '../../engine/demand.ts';
import { createSemaphore } from '../../engine/semaphore.ts';
import type { TakeTurn } from '../../stores/postgres/pool.ts';

/** Connections for questions that have no account yet: whose credential is it, which mailbox has work. */
const KEPT_FREE = 2;
/** Of the others one account takes at most this share at a time, so that another one finds a free one. */
const MOST_OF_ONE_ACCOUNT_SHARE = 0.5;
/**
 * Beside another busy account it takes two for each core. Transactions under way slow each other down, in the process and
 * in Postgres: an account alone may crowd its own, not those of others.
 */
const BESIDE_OTHERS_PER_CORE = 2;
/**
 * An account that crowds the others (`engine/demand.ts`) works in so many for each core: a third of the time of half the
 * cores. So two cores have time left for the others, and the slower the machine is the longer are the rests.
 */
const CROWDING_PER_CORE = 0.17;

/**
 * Turns for a pool of `poolSize` connections; a pool too small to be shared gives one connection to each turn. `demand`
 * knows what else of the process accounts want; without it nobody counts as a crowd.
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
