/** Deadlines, pauses and parallel work. Imports nothing, so that any room that uses `engine` may use it. */

/**
 * Returns the answer of `work`. After `ms` (Infinity: never) it returns or throws the result of `onLate` instead. Late
 * work goes on, and its end has no effect.
 */
export async function within<T, L>(ms: number, work: Promise<T>, onLate: () => L): Promise<T | L> {
  if (ms === Number.POSITIVE_INFINITY) return work;
  const { promise: late, reject, resolve } = Promise.withResolvers<L>();
  const timer = setTimeout(() => {
    try {
      resolve(onLate());
    } catch (error) {
      reject(error);
    }
  }, ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves after `ms`, or as soon as `signal` aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    resolve();
  };
  const timer = setTimeout(end, ms);
  if (signal?.aborted) end();
  else signal?.addEventListener('abort', end, { once: true });
  return promise;
}

/**
 * Runs `work` for each item in order, at most `parallel` at a time. Rejects with the first failure. A failure ends one
 * of the parallel runners; the others go on with the rest of the items.
 */
export async function eachOf<T>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker));
}
