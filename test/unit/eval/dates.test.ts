import { describe, expect, test } from '@jest/globals';
import { intervalOf, isExact, namesATime, overlap } from '../../../measure/eval/metrics/dates.ts';

const DAY = 86_400_000;
const week = { from: 0, until: 7 * DAY };

describe('overlap', () => {
  test('is the time that both windows cover, as a share of the time that either covers', () => {
    expect(overlap({ from: 0, until: 7 * DAY }, week)).toBe(1);
    expect(overlap({ from: DAY, until: 8 * DAY }, week)).toBeCloseTo(6 / 8);
    expect(overlap({ from: 0, until: DAY }, week)).toBeCloseTo(1 / 7);
  });

  test('is nothing for windows that only touch, and for an open end', () => {
    expect(overlap({ from: 7 * DAY, until: 8 * DAY }, week)).toBe(0);
    expect(overlap({ from: 0, until: Infinity }, week)).toBe(0);
  });
});

test('a window without ends is null, one with a single end is open', () => {
  expect(intervalOf(null, null)).toBeNull();
  expect(intervalOf('1970-01-01T00:00:00.000Z', null)).toEqual({ from: 0, until: Infinity });
});

test('a window is exact when both ends are', () => {
  expect(isExact({ from: 0, until: 7 * DAY }, week)).toBe(true);
  expect(isExact({ from: 0, until: 6 * DAY }, week)).toBe(false);
});

describe('a word of time', () => {
  test.each(['I left last spring', 'See you on Tues', 'Back in 2019', 'It has just begun'])(
    'stands in: %s',
    (text) => expect(namesATime(text)).toBe(true),
  );

  test.each(['Ada likes tea', 'The canoe is wooden', 'They marched on'])(
    'is missing from: %s',
    (text) => expect(namesATime(text)).toBe(false),
  );
});
