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

/** A semaphore with `limit` slots (at least 1), of which one key takes at most `mostOfOne`. */
export function createSemaphore(limit: number, mostOfOne = limit): Semaphore {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError('a semaphore needs a slot');
  let free = limit;
  const taken = new Map<string, number>();
  /** In the order of their next turns. */
  const waiting = new Map<string, Set<() => void>>();

  const mayTake = (key: string): boolean => free > 0 && (taken.get(key) ?? 0) < mostOfOne;

  const take = (key: string): void => {
    free -= 1;
    taken.set(key, (taken.get(key) ?? 0) + 1);
  };

  const acquire = (signal: AbortSignal | null, key: string): Promise<void> => {
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
  const passOn = (): void => {
    for (const [key, queue] of waiting) {
      if (!mayTake(key)) continue;
      const [next] = queue;
      waiting.delete(key);
      if (next === undefined) continue;
      queue.delete(next);
      if (queue.size > 0) waiting.set(key, queue);
      take(key);
      next();
      return;
    }
  };

  const release = (key: string): void => {
    free += 1;
    const left = (taken.get(key) ?? 1) - 1;
    if (left > 0) taken.set(key, left);
    else taken.delete(key);
    passOn();
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
