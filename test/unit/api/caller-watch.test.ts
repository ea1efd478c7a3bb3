import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { watchCaller } from '../../../api/caller-watch.ts';
import { Refusal } from '../../../domain/errors.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A watch whose check answers or throws what `next` says; and the refusals that ended it. */
function watched(next: () => Promise<unknown>) {
  const refusals: string[] = [];
  let checks = 0;
  const stop = watchCaller(
    async () => {
      checks += 1;
      return next();
    },
    (refusal) => refusals.push(refusal.code),
  );
  return { refusals, stop, checks: () => checks };
}

const after = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('the watch over a request', () => {
  test('ends once, with the refusal, within a second of it', async () => {
    let isGood = true;
    const { checks, refusals } = watched(async () => {
      if (!isGood) throw new Refusal('unauthorized');
    });
    await after(3_000);
    expect(refusals).toEqual([]);
    isGood = false;
    await after(1_000);
    expect(refusals).toEqual(['unauthorized']);
    const asked = checks();
    await after(10_000);
    expect([refusals, checks()]).toEqual([['unauthorized'], asked]);
  });

  test('goes on when nobody can say whether the caller may go on', async () => {
    const failures = [new Refusal('unavailable'), new Error('away'), new Refusal('unauthorized')];
    const { refusals } = watched(async () => {
      throw failures.shift() ?? new Error('asked too often');
    });
    await after(1_000);
    expect(refusals).toEqual([]);
    await after(1_000);
    expect(refusals).toEqual(['unauthorized']);
  });

  test('asks once at a time, and never after it was stopped', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { checks, stop } = watched(() => promise);
    await after(5_000);
    expect(checks()).toBe(1);
    resolve();
    await after(500);
    expect(checks()).toBe(2);
    stop();
    await after(5_000);
    expect(checks()).toBe(2);
  });
});
