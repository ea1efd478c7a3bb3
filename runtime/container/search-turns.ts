/**
 * The accounts of a process take turns with their searches. A search takes time of the event loop, of the embedder and
 * of both indexes. Searches of one account therefore wait for each other, and a search of another account finds a
 * place.
 */
import { availableParallelism } from 'node:os';
import { createSemaphore } from '../../engine/semaphore.ts';

/**
 * Searches at a time for each core. A search mostly waits for Postgres and the indexes: eight clients of one account had
 * 42 searches a second of two cores with two for each core, of which they took three at a time, and have 50 with three.
 */
const SEARCHES_PER_CORE = 3;
/** Beside others, one account takes at most this share of them. An account that is alone leaves one place for others. */
const MOST_OF_ONE_ACCOUNT_SHARE = 0.3;

interface Searching {
  readonly accountId: string;
  readonly signal: AbortSignal;
}

/** Gives a search its turns: its deadline begins with its turn. A caller that leaves loses its turn. */
export type ByTurns = <R extends Searching, A>(
  search: (request: R) => Promise<A>,
) => (request: R) => Promise<A>;

/** The turns of a process; all searches that are given them share its places, of whatever kind they are. */
export function createSearchTurns(cores = availableParallelism()): ByTurns {
  const places = Math.max(2, cores * SEARCHES_PER_CORE);
  const turns = createSemaphore(places, {
    mostOfOne: places - 1,
    besideOthers: Math.ceil(places * MOST_OF_ONE_ACCOUNT_SHARE),
  });
  return (search) => (request) =>
    turns.run(request.signal, () => search(request), request.accountId);
}
