import { describe, expect, test } from '@jest/globals';
import { exitCodeOf, isBelowFloor, none, tableOf } from '../../../measure/eval/report.ts';

describe('a floor', () => {
  test('is kept from above, or from below where less is better', () => {
    expect(isBelowFloor({ metric: 'm', value: 90, floor: 90 })).toBe(false);
    expect(isBelowFloor({ metric: 'm', value: 89.9, floor: 90 })).toBe(true);
    expect(isBelowFloor({ metric: 'm', value: 1.6, floor: 1.5, lessIsBetter: true })).toBe(true);
    expect(isBelowFloor(none('m', 0))).toBe(false);
    expect(isBelowFloor(none('m', 1))).toBe(true);
  });

  test('is missed by a figure that could not be computed', () => {
    expect(isBelowFloor({ metric: 'm', value: Number.NaN, floor: 90 })).toBe(true);
    expect(isBelowFloor({ ...none('m', Number.NaN) })).toBe(true);
  });

  test('that is missed by one figure fails the run', () => {
    const passed = { ability: 'a', rows: [none('m', 0)] };
    const failed = { ability: 'b', rows: [none('m', 0), none('n', 2)] };
    expect(exitCodeOf([passed])).toBe(0);
    expect(exitCodeOf([passed, failed])).toBe(1);
  });
});

describe('the table', () => {
  test('says that an ability without data was skipped, and nothing of passing', () => {
    expect(tableOf({ ability: 'dates', rows: null })).toEqual(['dates: skipped, no data']);
  });

  test('has a line for each figure and marks figures below their floor', () => {
    const lines = tableOf({
      ability: 'a',
      rows: [{ metric: 'm', value: 60, floor: 65, target: 75 }],
    });
    expect(lines[1]?.split(/\s{2,}/u)).toEqual(['m', '60.0', '65.0', '75.0', 'below the floor']);
  });
});
