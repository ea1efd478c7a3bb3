/**
 * A counting semaphore with a fair queue. One instance bounds the concurrent model calls of a process;
 * work that waits for a slot leaves the queue as soon as it is cancelled, so that a cancelled backlog
 * makes no call.
 */

export interface Semaphore {
  /** Runs `work` in a slot. Rejects with the signal's reason, without running it, once it is aborted. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** A semaphore with `limit` slots (at least 1). */
export function createSemaphore(limit: number): Semaphore {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError('a semaphore needs a slot');
  let free = limit;
  const waiting = new Set<() => void>();

  const acquire = (signal: AbortSignal): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(enter);
        reject(signal.reason);
      };
      waiting.add(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  };

  const release = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    // The slot passes from hand to hand, so a newcomer cannot overtake the queue.
    waiting.delete(next);
    next();
  };

  return {
    async run(signal, work) {
      signal.throwIfAborted();
      await acquire(signal);
      try {
        signal.throwIfAborted();
        return await work();
      } finally {
        release();
      }
    },
  };
}
