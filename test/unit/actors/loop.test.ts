import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createLoop } from '../../../runtime/actors/loop.ts';

const HOUR_MS = 3_600_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Lets a moment of the test's own time pass. */
const moment = () => jest.advanceTimersByTimeAsync(20);

function gated() {
  let open = 0;
  let most = 0;
  let passes = 0;
  const gates: (() => void)[] = [];
  return {
    pass: async (): Promise<void> => {
      passes += 1;
      open += 1;
      most = Math.max(most, open);
      await new Promise<void>((resolve) => {
        gates.push(resolve);
      });
      open -= 1;
    },
    release: () => gates.shift()?.(),
    passes: () => passes,
    most: () => most,
  };
}

test('a pass that is asked for during a pass follows it, once however often it was asked for', async () => {
  const work = gated();
  const loop = createLoop({ pass: work.pass, waitMs: () => HOUR_MS });
  loop.start();
  await moment();
  loop.soon();
  loop.soon();
  await moment();
  expect(work.passes()).toBe(1);
  work.release();
  await moment();
  expect(work.passes()).toBe(2);
  work.release();
  await moment();
  expect(work.passes()).toBe(2);
  expect(work.most()).toBe(1);
  await loop.close();
});

test('closing waits for the running pass and lets no other begin', async () => {
  const work = gated();
  const loop = createLoop({ pass: work.pass, waitMs: () => 0 });
  loop.start();
  await moment();
  const closing = loop.close();
  loop.soon();
  const first = await Promise.race([closing.then(() => 'closed'), moment().then(() => 'open')]);
  expect(first).toBe('open');
  work.release();
  await closing;
  await moment();
  expect(work.passes()).toBe(1);
});
