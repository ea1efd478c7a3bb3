/**
 * A counting semaphore with a fair queue. One instance bounds the concurrent model calls of a process;
 * work that waits for a slot leaves the queue as soon as it is cancelled, so that a cancelled backlog
 * makes no call. Those who wait are served by turns of their keys, and no key takes every slot.
 */

export interface Semaphore {
  /**
   * Runs `work` in a slot. Rejects with the signal's reason, without running it, once it is aborted; without a signal
   * it waits as long as it takes. `key` names whom the work is for.
   */
  run<T>(signal: AbortSignal | null, work: () => Promise<T>, key?: string): Promise<T>;
}

/** How long a key counts as busy after it asked for a slot, in milliseconds. */
const BUSY_FOR_MS = 2_000;

/** Which keys asked lately. */
class BusyKeys {
  /** When each asked last, the longest ago first. */
  readonly #askedAt = new Map<string, number>();

  asks(key: string): void {
    this.#askedAt.delete(key);
    this.#askedAt.set(key, performance.now());
  }

  hasOtherThan(key: string): boolean {
    const now = performance.now();
    for (const [oldest, askedAt] of this.#askedAt) {
      if (now - askedAt <= BUSY_FOR_MS) break;
      this.#askedAt.delete(oldest);
    }
    return this.#askedAt.size > (this.#askedAt.has(key) ? 1 : 0);
  }
}

function assertLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError('a semaphore needs a slot');
}

/** Those who wait, by their keys, in the order of the keys' next turns. */
type Waiting = Map<string, Set<() => void>>;

/** Takes the next one out of the line whose key may take a slot; its key goes to the end of the line. */
function takeNext(
  waiting: Waiting,
  mayTake: (key: string) => boolean,
): { readonly key: string; readonly enter: () => void } | null {
  for (const [key, queue] of waiting) {
    if (!mayTake(key)) continue;
    const [enter] = queue;
    waiting.delete(key);
    if (enter === undefined) continue;
    queue.delete(enter);
    if (queue.size > 0) waiting.set(key, queue);
    return { key, enter };
  }
  return null;
}

/**
 * A semaphore with `limit` slots (at least 1), of which one key takes at most `mostOfOne`, and at most `besideOthers` for
 * as long as another key is busy too.
 */
export function createSemaphore(
  limit: number,
  mostOfOne = limit,
  besideOthers = mostOfOne,
): Semaphore {
  assertLimit(limit);
  let free = limit;
  const busy = new BusyKeys();
  const taken = new Map<string, number>();
  const waiting: Waiting = new Map();

  const mayTake = (key: string): boolean =>
    free > 0 && (taken.get(key) ?? 0) < (busy.hasOtherThan(key) ? besideOthers : mostOfOne);

  const take = (key: string): void => {
    free -= 1;
    taken.set(key, (taken.get(key) ?? 0) + 1);
  };

  const acquire = (signal: AbortSignal | null, key: string): Promise<void> => {
    busy.asks(key);
    // Whoever waits while a slot is free is kept from it by the share of its key, so nobody is overtaken.
    if (mayTake(key)) {
      take(key);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const queue = waiting.get(key) ?? new Set();
      waiting.set(key, queue);
      const enter = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        queue.delete(enter);
        if (queue.size === 0 && waiting.get(key) === queue) waiting.delete(key);
        reject(signal?.reason);
      };
      queue.add(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  };

  /** The slot passes from hand to hand, so a newcomer cannot overtake the queue. */
  const passOne = (): boolean => {
    const next = takeNext(waiting, mayTake);
    if (next === null) return false;
    take(next.key);
    next.enter();
    return true;
  };

  const release = (key: string): void => {
    free += 1;
    const left = (taken.get(key) ?? 1) - 1;
    if (left > 0) taken.set(key, left);
    else taken.delete(key);
    // More than one may go on where a key is alone again.
    while (passOne());
  };

  return {
    async run(signal, work, key = '') {
      signal?.throwIfAborted();
      await acquire(signal, key);
      try {
        signal?.throwIfAborted();
        return await work();
      } finally {
        release(key);
      }
    },
  };
}
