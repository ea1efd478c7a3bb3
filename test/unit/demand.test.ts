import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createDemand, type Demand } from '../../engine/demand.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Each key wants so many slots all the time, for so long; it works in one of them, or in as many as `working` says. */
function pass(
  demand: Demand,
  seconds: number,
  slots: Readonly<Record<string, number>>,
  working: Readonly<Record<string, number>> = {},
): void {
  const each = (act: (key: string, number: number) => void) => {
    for (const [key, wanted] of Object.entries(slots)) {
      for (let number = 0; number < wanted; number += 1) act(key, number);
    }
  };
  const works = (key: string, number: number) => number < (working[key] ?? 1);
  each((key, number) => {
    demand.asks(key);
    if (works(key, number)) demand.begins(key);
  });
  jest.advanceTimersByTime(seconds * 1_000);
  each((key, number) => demand.ends(key, works(key, number) ? 'at work' : 'waiting'));
}

describe('a key crowds the others', () => {
  test('when it wants far more than they do, and more than a step-by-step client', () => {
    const demand = createDemand();
    pass(demand, 5, { crowd: 8, other: 1 });
    expect([demand.crowds('crowd'), demand.crowds('other')]).toEqual([true, false]);
  });

  test('neither alone, nor with a few slots, nor among its like', () => {
    const alone = createDemand();
    pass(alone, 5, { crowd: 8 });
    expect(alone.crowds('crowd')).toBe(false);
    const modest = createDemand();
    pass(modest, 20, { modest: 2, quiet: 1 });
    expect(modest.crowds('modest')).toBe(false);
    const alike = createDemand();
    pass(alike, 5, { a: 8, b: 6, c: 7 });
    expect(['a', 'b', 'c'].filter((key) => alike.crowds(key))).toEqual([]);
  });

  test('no longer when the others have gone, or when it has had its fill', () => {
    const left = createDemand();
    pass(left, 5, { crowd: 8, other: 1 });
    pass(left, 3, { crowd: 8 });
    expect([left.hasOtherThan('crowd'), left.crowds('crowd')]).toEqual([false, false]);
    const calmed = createDemand();
    pass(calmed, 5, { crowd: 8, other: 1 });
    pass(calmed, 5, { crowd: 1, other: 1 });
    expect(calmed.crowds('crowd')).toBe(false);
  });

  test('not after a moment in which the machine stood still, however much piled up in it', () => {
    const demand = createDemand();
    pass(demand, 5, { piled: 1, other: 1 });
    pass(demand, 0.2, { piled: 500, other: 1 });
    expect(demand.crowds('piled')).toBe(false);
  });
});

test('the work of the others is their mean, without what waits', () => {
  const demand = createDemand();
  expect(demand.workOfOthers('a')).toBe(0);
  pass(demand, 30, { a: 8, b: 2, c: 6 }, { a: 4, c: 3 });
  expect(demand.workOfOthers('a')).toBeCloseTo(2, 1);
  expect(demand.workOfOthers('b')).toBeCloseTo(3.5, 1);
  expect(demand.workOfOthers('who was never heard of')).toBeCloseTo(8 / 3, 1);
});

test('a key that waits is busy however long nothing is heard of it', () => {
  const demand = createDemand();
  demand.asks('waits');
  jest.advanceTimersByTime(60_000);
  expect(demand.hasOtherThan('a')).toBe(true);
  demand.ends('waits', 'waiting');
  jest.advanceTimersByTime(3_000);
  expect(demand.hasOtherThan('a')).toBe(false);
});
