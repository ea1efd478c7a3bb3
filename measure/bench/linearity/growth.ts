/**
 * How the time of a piece of work grows with its text. Processor time is measured, which a busy machine changes little.
 * The least of several runs counts, because other work can only add time.
 */

/** Shorter times, in milliseconds, are below the resolution of the clock. */
export const RESOLUTION_MS = 4;
/** The largest allowed ratio of the time for a character of the larger text to one of the smaller text. */
export const MOST_GROWTH = 1.3;

export type Work = (text: string) => unknown;

export interface Growth {
  readonly smallChars: number;
  readonly smallMs: number;
  readonly largeChars: number;
  readonly largeMs: number;
  /** 1 is linear. */
  readonly ratio: number;
}

/** Milliseconds of processor time that this thread spends until the work is done. */
export async function processorTime(work: Work, text: string): Promise<number> {
  const start = process.threadCpuUsage();
  // A generator works only while it is iterated. A promise is awaited; no other work runs meanwhile.
  const result = await work(text);
  if (isIterator(result)) for (const item of result) void item;
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

function isIterator(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value && Symbol.iterator in value;
}

export async function leastTime(work: Work, text: string, runs: number): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < runs; run += 1) {
    least = Math.min(least, await processorTime(work, text));
  }
  return least;
}

/** The growth between two sizes. The smaller time counts as at least the resolution, so that noise is no growth. */
export async function growthOf(
  work: Work,
  text: (chars: number) => string,
  smallChars: number,
  largeChars: number,
  runs: number,
): Promise<Growth> {
  const smallMs = Math.max(RESOLUTION_MS, await leastTime(work, text(smallChars), runs));
  const largeMs = await leastTime(work, text(largeChars), runs);
  const ratio = largeMs / largeChars / (smallMs / smallChars);
  return { smallChars, smallMs, largeChars, largeMs, ratio };
}
