import { describe, expect, test } from '@jest/globals';
import { isSameOrder, isSameRanking } from '../../../../measure/eval/retrieval/compared.ts';

const ranking = [
  ['a', 0.9],
  ['b', 0.5],
  ['c', 0.499],
] as const;
const [a, b, c] = ranking;

describe('two rankings are the same', () => {
  test('when ids and scores are', () => {
    expect(isSameRanking(ranking, [a, b, c])).toBe(true);
    expect(isSameRanking(ranking, [['a', 0.8], b, c])).toBe(false);
    expect(isSameRanking(ranking, [['d', 0.9], b, c])).toBe(false);
    expect(isSameRanking(ranking, [a, c, b])).toBe(false);
    expect(isSameRanking(ranking, [a, b])).toBe(false);
  });

  test('as far as the first ten places', () => {
    const long = Array.from({ length: 11 }, (_, n) => [`m${n}`, 1 - n / 100] as const);
    expect(isSameRanking(long, long.slice(0, 10))).toBe(true);
    expect(isSameRanking(long, long.slice(0, 9))).toBe(false);
    expect(isSameOrder(long, long.slice(0, 10))).toBe(true);
    expect(isSameOrder(long, long.slice(0, 9))).toBe(false);
  });
});

describe('two rankings have one order', () => {
  test('when only the scores differ, or messages of nearly one score change places', () => {
    expect(isSameOrder(ranking, [['a', 0.91], b, c])).toBe(true);
    expect(isSameOrder(ranking, [a, c, b])).toBe(true);
  });

  test('but not when another message stands there', () => {
    expect(isSameOrder(ranking, [b, a, c])).toBe(false);
    expect(isSameOrder(ranking, [a, b, ['d', 0.499]])).toBe(false);
    expect(isSameOrder(ranking, [])).toBe(false);
  });

  test('and not by scores that are shown as 1, because they may be any', () => {
    const best = [
      ['a', 1],
      ['b', 1],
    ] as const;
    expect(isSameOrder(best, best.toReversed())).toBe(false);
  });
});
