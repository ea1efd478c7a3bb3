/**
 * The searches of a process are made by turns of accounts. A search takes time of the event loop, of the embedder and of both
 * engines, so one account's crowd of them waits for itself and leaves another's search a place.
 */
import { availableParallelism } from 'node:os';
import type { Search } from '../../engine/retrieval/search.ts';
import { createSemaphore } from '../../engine/semaphore.ts';

/** Searches at a time for each core; a few more than cores, because a search mostly waits for engines. */
const SEARCHES_PER_CORE = 2;
/** Of them one account takes at most this share. */
const MOST_OF_ONE_ACCOUNT_SHARE = 0.5;

/** The same search by turns. Its deadline begins with its turn; a caller that leaves gives its turn up. */
export function searchByTurns(search: Search, cores = availableParallelism()): Search {
  const places = Math.max(2, cores * SEARCHES_PER_CORE);
  const turns = createSemaphore(places, {
    mostOfOne: Math.ceil(places * MOST_OF_ONE_ACCOUNT_SHARE),
  });
  return (request) => turns.run(request.signal, () => search(request), request.accountId);
}
