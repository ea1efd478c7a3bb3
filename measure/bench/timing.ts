/** Durations in milliseconds, and their percentiles. */

export interface Durations {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Nearest-rank percentiles; zero for an empty list. */
export function percentiles(milliseconds: readonly number[]): Durations {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** The result of the work, and how long it took. */
export async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly ms: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startedAt };
}

/** Runs `work` on every item, at most `limit` at a time; the first failure rejects. */
export async function forEachOf<T>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const runner = async (): Promise<void> => {
    for (const [index, item] of queue) await work(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, runner));
}

/** The middle value, the lower one of two; zero for an empty list. */
export function median(values: readonly number[]): number {
  return percentiles(values).p50;
}
