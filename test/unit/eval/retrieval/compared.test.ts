import { describe, expect, test } from '@jest/globals';
import { isSameRanking, sessionsReversed } from '../../../../measure/eval/retrieval/compared.ts';

describe('two rankings', () => {
  const ranking = [
    ['a', 0.9],
    ['b', 0.5],
    ['c', 0.5],
  ] as const;

  test('are the same when messages of one score change places', () => {
    expect(isSameRanking(ranking, [ranking[0], ranking[2], ranking[1]])).toBe(true);
  });

  test('differ by a score, an id or a length', () => {
    expect(isSameRanking(ranking, [['a', 0.8], ranking[1], ranking[2]])).toBe(false);
    expect(isSameRanking(ranking, [['d', 0.9], ranking[1], ranking[2]])).toBe(false);
    expect(isSameRanking(ranking, ranking.slice(0, 2))).toBe(false);
  });

  test('are compared at their first ten places', () => {
    const long = Array.from({ length: 11 }, (_, n) => [`m${n}`, 1 - n / 100] as const);
    expect(isSameRanking(long, long.slice(0, 10))).toBe(true);
    expect(isSameRanking(long, long.slice(0, 9))).toBe(false);
  });
});

test('sessions are sent backwards, with their turns in order', () => {
  const messages = ['1a', '1b', '2a', '3a', '3b'].map((id) => ({ id, session: id.slice(0, 1) }));
  expect(sessionsReversed(messages).map(({ id }) => id)).toEqual(['3a', '3b', '2a', '1a', '1b']);
});
