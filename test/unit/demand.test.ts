import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createDemand, unitsOfText, type Demand } from '../../engine/demand.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const CORES = 2;

/** Each key brings so many short texts a second, evenly, for so long. */
function pass(demand: Demand, seconds: number, rates: Readonly<Record<string, number>>): void {
  const stepMs = 50;
  const due = new Map<string, number>();
  for (let at = 0; at < seconds * 1_000; at += stepMs) {
    for (const [key, rate] of Object.entries(rates)) {
      let owed = (due.get(key) ?? 0) + (rate * stepMs) / 1_000;
      for (; owed >= 1; owed -= 1) demand.brings(key, unitsOfText(100));
      due.set(key, owed);
    }
    jest.advanceTimersByTime(stepMs);
  }
}

describe('an account crowds the others', () => {
  test('after half a second of more load than its pace beside an account that keeps to it', () => {
    const demand = createDemand(CORES);
    pass(demand, 1, { other: 5 });
    pass(demand, 0.5, { crowd: 60, other: 5 });
    expect([demand.crowds('crowd'), demand.crowds('other')]).toEqual([true, false]);
  });

  test('with a few long texts as with many short ones', () => {
    const demand = createDemand(CORES);
    demand.hears('other');
    demand.brings('crowd', unitsOfText(1_048_576));
    expect(demand.crowds('crowd')).toBe(true);
  });

  test('not when it is alone, not among accounts with as much load, and not at a modest pace', () => {
    const alone = createDemand(CORES);
    pass(alone, 3, { crowd: 400 });
    expect(alone.crowds('crowd')).toBe(false);
    const alike = createDemand(CORES);
    pass(alike, 3, { a: 80, b: 60, c: 70 });
    expect(['a', 'b', 'c'].filter((key) => alike.crowds(key))).toEqual([]);
    const modest = createDemand(CORES);
    pass(modest, 60, { modest: 15, quiet: 1 });
    expect(modest.crowds('modest')).toBe(false);
  });

  test('no longer when the others have left, and at most for a minute after its last load', () => {
    const left = createDemand(CORES);
    pass(left, 3, { crowd: 100, other: 5 });
    pass(left, 2.1, { crowd: 100 });
    expect([left.hasOtherThan('crowd'), left.crowds('crowd')]).toEqual([false, false]);
    const calmed = createDemand(CORES);
    pass(calmed, 3, { crowd: 5_000, other: 5 });
    pass(calmed, 50, { other: 5 });
    expect(calmed.crowds('crowd')).toBe(true);
    pass(calmed, 11, { other: 5 });
    expect(calmed.crowds('crowd')).toBe(false);
  });

  test('only by the load that it brings, not by the number of its requests', () => {
    const demand = createDemand(CORES);
    for (let n = 0; n < 10_000; n += 1) demand.hears('slowed');
    demand.hears('other');
    expect(demand.crowds('slowed')).toBe(false);
  });
});
