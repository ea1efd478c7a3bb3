/** Deadlines, pauses and parallel work, on a clock of the test. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { eachOf, pause, within } from '../../engine/async.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const never = new Promise<never>(() => {});

/** Whether a promise has settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = (): void => {
    settled = true;
  };
  promise.then(note, note);
  await jest.advanceTimersByTimeAsync(0);
  return settled;
}

describe('work within a deadline', () => {
  test('answers what the work answers, and leaves no timer', async () => {
    await expect(within(1_000, Promise.resolve('done'), () => 'late')).resolves.toBe('done');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('fails as the work fails, and leaves no timer', async () => {
    const failing = Promise.reject(new Error('failed'));
    await expect(within(1_000, failing, () => 'late')).rejects.toThrow('failed');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('answers what is given instead when it is late', async () => {
    const answer = within(1_000, never, () => 'late');
    await jest.advanceTimersByTimeAsync(999);
    expect(await isSettled(answer)).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await expect(answer).resolves.toBe('late');
  });

  test('fails as it is told when it is late, and a later failure of the work is not heard of', async () => {
    const { promise, reject } = Promise.withResolvers<string>();
    const answer = within(1_000, promise, () => {
      throw new Error('overdue');
    });
    const judged = expect(answer).rejects.toThrow('overdue');
    await jest.advanceTimersByTimeAsync(1_000);
    await judged;
    reject(new Error('an unhandled rejection would fail this test'));
    await jest.advanceTimersByTimeAsync(0);
  });

  test('waits for ever without a limit', async () => {
    const answer = within(Number.POSITIVE_INFINITY, never, () => 'late');
    expect(jest.getTimerCount()).toBe(0);
    expect(await isSettled(answer)).toBe(false);
  });
});

describe('a pause', () => {
  test('lasts its time', async () => {
    const paused = pause(100);
    await jest.advanceTimersByTimeAsync(99);
    expect(await isSettled(paused)).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(await isSettled(paused)).toBe(true);
  });

  test('ends with its signal, without an error and without a timer', async () => {
    const over = new AbortController();
    const paused = pause(100, over.signal);
    over.abort();
    await paused;
    await pause(100, over.signal);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('work on each of many', () => {
  test('begins in order, so many at a time', async () => {
    const begun: number[] = [];
    const worked = eachOf([1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      await pause(10);
    });
    expect(begun).toEqual([1, 2]);
    await jest.advanceTimersByTimeAsync(10);
    expect(begun).toEqual([1, 2, 3, 4]);
    await jest.advanceTimersByTimeAsync(20);
    await worked;
    expect(begun).toEqual([1, 2, 3, 4, 5]);
  });

  test('goes on beside one that fails, and fails with it', async () => {
    const done: number[] = [];
    const worked = eachOf([1, 2, 3, 4], 2, async (item) => {
      if (item === 1) throw new Error('the first');
      await pause(10);
      done.push(item);
    });
    await expect(worked).rejects.toThrow('the first');
    await jest.advanceTimersByTimeAsync(30);
    expect(done).toEqual([2, 3, 4]);
  });

  test('is nothing without items', async () => {
    await eachOf([], 4, () => Promise.reject(new Error('no item')));
  });
});
