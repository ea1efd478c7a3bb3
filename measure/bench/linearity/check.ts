/** Checks one function or pattern with pumps: whether its time grows faster than the text. */
import { setTimeout as sleep } from 'node:timers/promises';
import { analyse } from 'scslre';
import { growthOf, leastTime, MOST_GROWTH, processorTime } from './growth.ts';
import type { Growth, Work } from './growth.ts';
import type { Pump } from './pumps.ts';
import type { WrittenPattern } from './sources.ts';

/** The reports of a static analysis: repetitions that may start at any position, or be divided in many ways. */
export function superlinear({ source, flags }: WrittenPattern): readonly string[] {
  const { reports } = analyse({ source, flags });
  return reports.map(({ type, exponential }) => (exponential ? `${type}, exponential` : type));
}

/** All matches of a pattern in a text. */
export function matching({ source, flags }: WrittenPattern): Work {
  const pattern = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  return (text) => {
    for (const match of text.matchAll(pattern)) void match;
  };
}

export interface Finding {
  readonly pump: string;
  readonly growth: Growth;
}

/**
 * What the work takes for the text, in milliseconds of processor time; null where it refuses the text, which counts as
 * fast. A RangeError, such as a stack overflow, is a failure, and a TypeError means a wrong call; both are thrown.
 */
async function timeUnlessRefused(work: Work, text: string): Promise<number | null> {
  try {
    return await processorTime(work, text);
  } catch (error) {
    const isDefect = error instanceof RangeError || error instanceof TypeError;
    // Node refuses what is no address with a TypeError of a code.
    if (isDefect && Reflect.get(error, 'code') !== 'ERR_INVALID_URL') throw error;
    return null;
  }
}

/**
 * Because of noise a pair is measured this often before it counts, and less often where every ratio is past
 * `BEYOND_NOISE`. A single one is no proof: the code may have been compiled anew in the middle of it.
 */
const MEASUREMENTS = 12;
const FEWEST_MEASUREMENTS = 4;
/** Between two measurements, in milliseconds: what the runs before left in memory is cleared away meanwhile. */
const REST_MS = 50;
const BEYOND_NOISE = 2.5;

/** The growth of one pump between two sizes, the least of several measurements; null where it is within bounds. */
async function suspect(
  work: Work,
  pump: Pump,
  small: number,
  large: number,
): Promise<Finding | null> {
  let least: Growth | null = null;
  for (let n = 0; n < MEASUREMENTS; n += 1) {
    if (n > 0) await sleep(REST_MS);
    const growth = await growthOf(work, pump.text, small, large, 2);
    if (least === null || growth.ratio < least.ratio) least = growth;
    if (least.ratio <= MOST_GROWTH) return null;
    if (least.ratio > BEYOND_NOISE && n + 1 >= FEWEST_MEASUREMENTS) break;
  }
  return least === null ? null : { pump: pump.name, growth: least };
}

/**
 * Pumps on which the work grows faster than its text from `small` to `large` characters. Only pumps that take at least
 * `noticeableMs` at `small` are measured further.
 */
export async function findGrowth(
  work: Work,
  pumps: readonly Pump[],
  small: number,
  large: number,
  noticeableMs: number,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const pump of pumps) {
    const text = pump.text(small);
    const firstMs = await timeUnlessRefused(work, text);
    if (firstMs === null || firstMs < noticeableMs) continue;
    if ((await leastTime(work, text, 2)) < noticeableMs) continue;
    const finding = await suspect(work, pump, small, large);
    if (finding !== null) found.push(finding);
  }
  return found;
}
