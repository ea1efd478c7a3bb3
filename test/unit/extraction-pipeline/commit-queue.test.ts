import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createAccountQueues } from '../../../engine/extraction/account-queues.ts';
import { createSharedQueue } from '../../../engine/extraction/commit-queue.ts';
import { inOneTrip } from '../../../stores/postgres/one-trip.ts';

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

/** All that waits is one group. */
const together = (items: readonly number[]) => (items.length === 0 ? [] : [items]);

/** Nothing follows the commit. */
const committing = (commit: (items: readonly number[]) => Promise<void>) => ({
  groupsOf: together,
  commit,
  finish: () => Promise.resolve(),
});

test('commits in order, one group at a time, and gathers proposals that arrive meanwhile', async () => {
  const groups: number[][] = [];
  let running = 0;
  const join = createSharedQueue<number, void>(
    committing(async (items) => {
      running += 1;
      expect(running).toBe(1);
      groups.push([...items]);
      await lasting(20);
      running -= 1;
    }),
    { quietMs: 5, longestMs: 50, enough: 3 },
  );
  const queue = join();
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
  const join = createSharedQueue<number, void>(
    committing((items) => {
      groups.push(items.length);
      return Promise.resolve();
    }),
    { quietMs: 40, longestMs: 120, enough: 100 },
  );
  const queue = join();
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
  const join = createSharedQueue<number, void>(
    committing((items) => {
      seen.push(...items);
      return Promise.reject(new Error('away'));
    }),
    { quietMs: 0, longestMs: 0, enough: 1 },
  );
  const queue = join();
  queue.push(1);
  await pass(5);
  expect(queue.broken).toBe(true);
  queue.push(2);
  await expect(queue.drain()).rejects.toThrow('away');
  expect(seen).toEqual([1]);
});

test('commits what several batches push together, and tells each of its own', async () => {
  const groups: number[][] = [];
  const commit = (items: readonly number[]): Promise<void> => {
    groups.push([...items]);
    return items.includes(13) ? Promise.reject(new Error('away')) : lasting(20);
  };
  const join = createSharedQueue(committing(commit), { quietMs: 5, longestMs: 50, enough: 100 });
  const [first, second, third] = [join(), join(), join()];
  first.push(1);
  const firstDrained = first.drain();
  await pass(1);
  // While the first group is committed.
  second.push(2);
  const secondDrained = second.drain();
  third.push(3);
  await pass(100);
  await Promise.all([firstDrained, secondDrained, third.drain()]);
  expect(groups).toEqual([[1], [2, 3]]);
  third.push(13);
  await expect(third.drain()).rejects.toThrow('away');
  first.push(4);
  const again = first.drain();
  await pass(100);
  await again;
  expect([first.broken, third.broken]).toEqual([false, true]);
  expect(groups).toEqual([[1], [2, 3], [13], [4]]);
});

test('a part that has nothing to wait for ends at once, while others are committed', async () => {
  const join = createSharedQueue<number, void>(
    committing(() => lasting(1_000)),
    {
      quietMs: 0,
      longestMs: 0,
      enough: 1,
    },
  );
  join().push(1);
  await pass(5);
  await join().drain();
});

test('what follows a commit goes on beside the next ones, for some groups at a time', async () => {
  const begun: number[] = [];
  const indexed: number[] = [];
  const join = createSharedQueue<number, readonly number[]>(
    {
      groupsOf: together,
      commit: async (items) => {
        begun.push(...items);
        return items;
      },
      finish: async (items) => {
        await lasting(1_000);
        indexed.push(...items);
      },
    },
    { quietMs: 0, longestMs: 0, enough: 1 },
  );
  const queue = join();
  for (let item = 0; item < 20; item += 1) {
    queue.push(item);
    await pass(1);
  }
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(indexed).toEqual([]);
  const drained = queue.drain();
  await pass(3_000);
  await drained;
  expect(indexed.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, item) => item));
});

test('what waits is committed in groups, each of which is finished without waiting for the next', async () => {
  const seen: string[] = [];
  const join = createSharedQueue<number, readonly number[]>(
    {
      groupsOf: (items) => items.map((item) => [item]),
      commit: async (items) => {
        await lasting(10);
        seen.push(`committed ${items.join()}`);
        return items;
      },
      finish: async (items) => {
        await lasting(5);
        seen.push(`finished ${items.join()}`);
      },
    },
    { quietMs: 50, longestMs: 50, enough: 100 },
  );
  const queue = join();
  queue.push(1);
  queue.push(2);
  const drained = queue.drain();
  await pass(100);
  await drained;
  expect(seen).toEqual(['committed 1', 'finished 1', 'committed 2', 'finished 2']);
});

test('a failure of what follows is a failure of its group alone', async () => {
  const join = createSharedQueue<number, readonly number[]>(
    {
      groupsOf: together,
      commit: async (items) => items,
      finish: (items) => (items.includes(13) ? Promise.reject(new Error('away')) : lasting(10)),
    },
    { quietMs: 0, longestMs: 0, enough: 1 },
  );
  const [lucky, unlucky] = [join(), join()];
  unlucky.push(13);
  await pass(1);
  lucky.push(1);
  const drained = lucky.drain();
  await pass(50);
  await drained;
  await expect(unlucky.drain()).rejects.toThrow('away');
});

test('accounts do not wait for each other', async () => {
  const begun: string[] = [];
  const queues = createAccountQueues<number, void>(
    (account) =>
      committing(() => {
        begun.push(account);
        return lasting(account === 'slow' ? 1_000 : 10);
      }),
    { quietMs: 0, longestMs: 0, enough: 1 },
  );
  const commitOne = (account: string): Promise<void> =>
    queues.joined(account, async (queue) => {
      queue.push(1);
      await queue.drain();
    });
  const slow = commitOne('slow');
  const quick = commitOne('quick');
  await pass(20);
  await quick;
  expect(begun).toEqual(['slow', 'quick']);
  await pass(1_000);
  await slow;
});

test('calls that arrive during a trip form the next one, apart for each account', async () => {
  const trips: [string, number[]][] = [];
  const call = inOneTrip<number, number>(async (account, items) => {
    trips.push([account, [...items]]);
    await lasting(10);
    return items.map((item) => item * 2);
  });
  const first = [call('a', 1), call('a', 2), call('b', 3)];
  await pass(5);
  const second = [call('a', 4), call('a', 5)];
  await pass(100);
  expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10]);
  expect(trips).toEqual([
    ['a', [1, 2]],
    ['b', [3]],
    ['a', [4, 5]],
  ]);
});

test('a trip that fails fails its own callers only', async () => {
  let n = 0;
  const call = inOneTrip<number, number>((_, items) => {
    n += 1;
    return n === 1 ? Promise.reject(new Error('lost')) : Promise.resolve([...items]);
  });
  await expect(call('a', 1)).rejects.toThrow('lost');
  expect(await call('a', 2)).toBe(2);
});
