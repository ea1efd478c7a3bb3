/** What a process remembers of the shared circuits, so that most calls need not read the shared row. */
import { LRUCache } from 'lru-cache';
import type { CircuitKey, CircuitReading, CircuitStore } from '../../domain/models/circuit.ts';

interface Remembered {
  readonly reading: CircuitReading;
  readonly at: number;
}

const FRESH_MS = 250;
/** Circuits remembered at a time; past that the one read longest ago is forgotten. */
const MOST_REMEMBERED = 10_000;

function nameOf({ accountId, role, provider, model }: CircuitKey): string {
  return JSON.stringify([accountId, role, provider, model]);
}

/** `now` gives monotonic milliseconds. */
export class CircuitReadings {
  readonly #store: Pick<CircuitStore, 'read'>;
  readonly #now: () => number;
  readonly #remembered = new LRUCache<string, Remembered>({ max: MOST_REMEMBERED });
  readonly #asking = new Map<string, Promise<CircuitReading>>();

  constructor(store: Pick<CircuitStore, 'read'>, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** The circuit as it was at most 250 ms ago; an open one until its time is over. */
  async get(key: CircuitKey): Promise<CircuitReading> {
    const known = this.#remembered.peek(nameOf(key));
    if (known === undefined) return this.ask(key);
    const { reading, at } = known;
    const age = this.#now() - at;
    const freshMs = reading.state === 'open' ? Math.max(reading.waitMs, FRESH_MS) : FRESH_MS;
    if (age >= freshMs) return this.ask(key);
    return { ...reading, waitMs: Math.max(0, reading.waitMs - age) };
  }

  /** Asks the shared row. Callers of the same moment share one question. */
  ask(key: CircuitKey): Promise<CircuitReading> {
    const name = nameOf(key);
    const open = this.#asking.get(name);
    if (open !== undefined) return open;
    const question = this.#store
      .read(key)
      .then((reading) => {
        // When this process changed the circuit meanwhile, that change is newer than this answer.
        if (this.#asking.get(name) === question) this.#remember(name, reading);
        return reading;
      })
      .finally(() => {
        if (this.#asking.get(name) === question) this.#asking.delete(name);
      });
    this.#asking.set(name, question);
    return question;
  }

  /** Remembers the circuit as this process has changed it. */
  put(key: CircuitKey, reading: CircuitReading): void {
    this.#asking.delete(nameOf(key));
    this.#remember(nameOf(key), reading);
  }

  forget(key: CircuitKey): void {
    this.#asking.delete(nameOf(key));
    this.#remembered.delete(nameOf(key));
  }

  #remember(name: string, reading: CircuitReading): void {
    this.#remembered.set(name, { reading, at: this.#now() });
  }
}
