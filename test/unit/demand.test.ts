import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createDemand, type Demand } from '../../engine/demand.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Each key wants so many slots, for so long. */
function pass(demand: Demand, seconds: number, slots: Readonly<Record<string, number>>): void {
  for (let tenth = 0; tenth < seconds * 10; tenth += 1) {
    jest.advanceTimersByTime(100);
    for (const [key, wanted] of Object.entries(slots)) {
      demand.asks(key);
      demand.wanted(key, wanted * 100);
    }
  }
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
    pass(modest, 20, { modest: 2.8, quiet: 0.1 });
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
});

test('a burst of a second crowds nobody', () => {
  const demand = createDemand();
  pass(demand, 5, { burst: 0.6, other: 0.5 });
  pass(demand, 1, { burst: 5, other: 0.5 });
  expect(demand.crowds('burst')).toBe(false);
});
