/**
 * How fast the requests of one account are begun while a lighter one is there. An observation or a search costs some thirty
 * milliseconds of the machine in all processes together, most of it after its answer: eight clients that never pause
 * bring a hundred and fifty a second, and the work they leave keeps everybody waiting. What comes faster waits before its
 * body is read, so that it holds no memory and no connection of Postgres. An account that is alone, or among its like,
 * waits for nothing.
 */
import { availableParallelism } from 'node:os';
import { Loads } from '../domain/limits/loads.ts';

/** What a request counts: one that reads one thing by its id, an operator's, which may look at a whole account, and any other. */
export const UNITS_OF_REQUEST = { byId: 2, usual: 4, ofOperator: 16 } as const;
/**
 * Of a body, one unit more. Bodies that are read side by side end together, and thirty mebibytes in one moment held a process
 * for a second: so long ones begin one after the other.
 */
export const BYTES_OF_REQUEST_UNIT = 32_768;
/** Of one account, for each core of the machine: sixteen usual requests. */
export const REQUEST_UNITS_PER_SECOND_PER_CORE = 64;
/** The requests of a step-by-step client come at once. */
export const FREE_REQUEST_UNITS = 32;
/** What waited so long is begun, however much came before it, in milliseconds. */
export const LONGEST_REQUEST_PAUSE_MS = 10_000;

export class RequestPace {
  readonly #loads: Loads;

  constructor(cores = availableParallelism()) {
    const unitsPerSecond = cores * REQUEST_UNITS_PER_SECOND_PER_CORE;
    this.#loads = new Loads(
      { unitsPerSecond, freeUnits: FREE_REQUEST_UNITS },
      LONGEST_REQUEST_PAUSE_MS,
    );
  }

  /** Counts a request of so many units; answers for how many milliseconds it waits. */
  pauseOf(accountId: string, units: number): number {
    const now = performance.now();
    const surplusMs = this.#loads.add(accountId, units, now);
    return surplusMs > 0 && this.#loads.hasLightOther(accountId, now) ? surplusMs : 0;
  }
}
