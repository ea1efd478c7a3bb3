/**
 * How the time of a piece of work grows with its text, in processor time, so that a busy machine changes little. Of
 * several runs the least counts: other work only ever adds.
 */

/** Below this many milliseconds a time is the clock's own. */
export const RESOLUTION_MS = 4;
/** Time for a byte of the larger text, by that of the smaller one. */
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

/** Milliseconds of processor that this thread spends until the work is done. */
export async function processorTime(work: Work, text: string): Promise<number> {
  const start = process.threadCpuUsage();
  // A generator does its work only when it is asked; a promise is waited for, and nothing else runs meanwhile.
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

/** The growth between two sizes; the smaller time is at least the resolution, so that noise is no growth. */
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
