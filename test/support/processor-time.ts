/**
 * What work costs beside other work. A ratio of measured times is a verdict on a quiet machine alone, so it is judged in
 * the long run; the short one does the dearer work, so that what fails, or never ends, is found there.
 */
import { expect } from '@jest/globals';
import { sized } from './run.ts';

/**
 * Milliseconds of processor that this thread spends on work that never waits: nearly the same on a busy machine and an
 * idle one, which the clock is not.
 */
function processorMs(work: () => unknown): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

export interface Compared {
  readonly few: () => unknown;
  readonly many: () => unknown;
  /** How many times the processor time of `few` may be spent on `many`. */
  readonly times: number;
  /** Milliseconds more, for what is too short to be measured. */
  readonly besidesMs: number;
}

function leastMs(work: () => unknown): number {
  return Math.min(...[1, 2, 3].map(() => processorMs(work)));
}

/** Expects that `many` costs no more than so many times what `few` costs. */
export function expectGrowth({ besidesMs, few, many, times }: Compared): void {
  many();
  if (sized({ short: true, long: false })) return;
  expect(leastMs(many)).toBeLessThan(times * leastMs(few) + besidesMs);
}
