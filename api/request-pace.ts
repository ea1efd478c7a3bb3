/**
 * How fast the requests of one account begin while a lighter account is there. An observation or a search costs some
 * thirty milliseconds of the machine in all processes together, most of it after its answer. Eight clients that never
 * pause bring a hundred and fifty a second, and the work that they leave behind delays all accounts. A request past the
 * pace waits before its body is read, so that it holds no memory and no connection of Postgres. An account that is
 * alone, or only beside other heavy accounts, does not wait.
 */
import { availableParallelism } from 'node:os';
import { Loads } from '../domain/limits/loads.ts';

/** Units of a request: a read by id, any other, and an account-admin's, which may look at a whole account. */
export const UNITS_OF_REQUEST = { byId: 2, usual: 4, ofQuestion: 12, ofOperator: 16 } as const;
/**
 * So many bytes of a body count one unit more. Bodies that are read side by side end together, and thirty mebibytes at
 * the same moment held a process for a second. Counting bytes makes long bodies begin one after the other.
 */
export const BYTES_OF_REQUEST_UNIT = 32_768;
/** For one account, for each core of the machine: sixteen usual requests. */
const REQUEST_UNITS_PER_SECOND_PER_CORE = 64;
/** Units without a wait after a rest: enough for a client that sends one request after the other. */
export const FREE_REQUEST_UNITS = 32;
/** The longest that a request waits, however many came before it, in milliseconds. */
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

  /** Counts a request of `units`; answers for how many milliseconds it waits. */
  pauseOf(accountId: string, units: number): number {
    const now = performance.now();
    const surplusMs = this.#loads.add(accountId, units, now);
    return surplusMs > 0 && this.#loads.hasLightOther(accountId, now) ? surplusMs : 0;
  }
}
