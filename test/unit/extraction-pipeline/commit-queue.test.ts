import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createCommitQueue } from '../../../engine/extraction/commit-queue.ts';
import { inRounds } from '../../../stores/postgres/rounds.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Lets this much of the test's own time pass. */
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

/** What the code under test waits for: over when the test lets the time pass. */
const lasting = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

test('commits in order, one group at a time, and gathers proposals that arrive meanwhile', async () => {
  const groups: number[][] = [];
  let running = 0;
  const queue = createCommitQueue<number>(
    async (items) => {
      running += 1;
      expect(running).toBe(1);
      groups.push([...items]);
      await lasting(20);
      running -= 1;
    },
    { quietMs: 5, longestMs: 50, enough: 3 },
  );
  for (const item of [1, 2, 3]) queue.push(item);
  await pass(10);
  for (const item of [4, 5, 6, 7]) queue.push(item);
  const drained = queue.drain();
  await pass(100);
  await drained;
  expect(groups[0]).toEqual([1, 2, 3]);
  expect(groups.flat()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(groups.length).toBeLessThanOrEqual(3);
});

test('waits for further proposals while they arrive, but not for ever', async () => {
  const groups: number[] = [];
  const queue = createCommitQueue<number>(
    (items) => {
      groups.push(items.length);
      return Promise.resolve();
    },
    { quietMs: 40, longestMs: 120, enough: 100 },
  );
  for (let item = 0; item < 20; item += 1) {
    queue.push(item);
    await pass(10);
  }
  await pass(60);
  expect(groups.reduce((sum, size) => sum + size, 0)).toBe(20);
  expect(groups.length).toBeGreaterThanOrEqual(2);
  expect(groups.length).toBeLessThanOrEqual(4);
});

test('commits nothing after a failure, and reports it', async () => {
  const seen: number[] = [];
  const queue = createCommitQueue<number>(
    (items) => {
      seen.push(...items);
      return Promise.reject(new Error('away'));
    },
    { quietMs: 0, longestMs: 0, enough: 1 },
  );
  queue.push(1);
  await pass(5);
  expect(queue.broken).toBe(true);
  queue.push(2);
  await expect(queue.drain()).rejects.toThrow('away');
  expect(seen).toEqual([1]);
});

test('calls that arrive during a round form the next one, apart for each account', async () => {
  const rounds: [string, number[]][] = [];
  const call = inRounds<number, number>(async (account, items) => {
    rounds.push([account, [...items]]);
    await lasting(10);
    return items.map((item) => item * 2);
  });
  const first = [call('a', 1), call('a', 2), call('b', 3)];
  await pass(5);
  const second = [call('a', 4), call('a', 5)];
  await pass(100);
  expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10]);
  expect(rounds).toEqual([
    ['a', [1, 2]],
    ['b', [3]],
    ['a', [4, 5]],
  ]);
});

test('a round that fails fails its own callers only', async () => {
  let n = 0;
  const call = inRounds<number, number>((_, items) => {
    n += 1;
    return n === 1 ? Promise.reject(new Error('lost')) : Promise.resolve([...items]);
  });
  await expect(call('a', 1)).rejects.toThrow('lost');
  expect(await call('a', 2)).toBe(2);
});
