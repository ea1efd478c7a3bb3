/** What a process remembers of the shared circuits, so that most calls need not read the shared row. */
import { LRUCache } from 'lru-cache';
import type { CircuitKey, CircuitReading, CircuitStore } from '../../domain/models/circuit.ts';

export interface CircuitReadings {
  /** The circuit as it was at most 250 ms ago; an open one until its time is over. */
  get(key: CircuitKey): Promise<CircuitReading>;
  /** Asks the shared row. Callers of the same moment share one question. */
  ask(key: CircuitKey): Promise<CircuitReading>;
  /** Remembers the circuit as this process has changed it. */
  put(key: CircuitKey, reading: CircuitReading): void;
  forget(key: CircuitKey): void;
}

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
export function createCircuitReadings(
  store: Pick<CircuitStore, 'read'>,
  now: () => number,
): CircuitReadings {
  const remembered = new LRUCache<string, Remembered>({ max: MOST_REMEMBERED });
  const asking = new Map<string, Promise<CircuitReading>>();

  const remember = (name: string, reading: CircuitReading): void => {
    remembered.set(name, { reading, at: now() });
  };

  const ask = (key: CircuitKey): Promise<CircuitReading> => {
    const name = nameOf(key);
    const open = asking.get(name);
    if (open !== undefined) return open;
    const question = store
      .read(key)
      .then((reading) => {
        // When this process changed the circuit meanwhile, that change is newer than this answer.
        if (asking.get(name) === question) remember(name, reading);
        return reading;
      })
      .finally(() => {
        if (asking.get(name) === question) asking.delete(name);
      });
    asking.set(name, question);
    return question;
  };

  return {
    async get(key) {
      const known = remembered.peek(nameOf(key));
      if (known === undefined) return ask(key);
      const { reading, at } = known;
      const age = now() - at;
      const freshMs = reading.state === 'open' ? Math.max(reading.waitMs, FRESH_MS) : FRESH_MS;
      if (age >= freshMs) return ask(key);
      return { ...reading, waitMs: Math.max(0, reading.waitMs - age) };
    },
    ask,
    put(key, reading) {
      const name = nameOf(key);
      asking.delete(name);
      remember(name, reading);
    },
    forget(key) {
      const name = nameOf(key);
      asking.delete(name);
      remembered.delete(name);
    },
  };
}
