import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import { HANGS_MS } from '../../support/patience.ts';

/** Looks every few milliseconds until `look` says yes; answers how long that took. Throws when time is up. */
export async function until(
  what: string,
  withinMs: number,
  look: () => Promise<boolean>,
  everyMs = 25,
): Promise<number> {
  const startedAt = performance.now();
  while (!(await look())) {
    if (performance.now() - startedAt > withinMs) {
      throw new Error(`not within ${withinMs} ms: ${what}`);
    }
    await sleep(everyMs);
  }
  return performance.now() - startedAt;
}

/** A search has a third of a second; a busy machine is asked again for so long. */
const ANSWERS_SO_WITHIN_MS = HANGS_MS;

/** Asks until `ask` answers `wanted`; expects so of its last answer when time is up. */
export async function untilAnswers<T>(ask: () => Promise<T>, wanted: T): Promise<void> {
  const giveUpAt = performance.now() + ANSWERS_SO_WITHIN_MS;
  let answer = await ask();
  while (!isDeepStrictEqual(answer, wanted) && performance.now() < giveUpAt) {
    await sleep(100);
    answer = await ask();
  }
  expect(answer).toEqual(wanted);
}
