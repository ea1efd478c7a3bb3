import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cutBeforeEquals } from '../../../domain/ranking/cut.ts';

const hits = (...scores: readonly number[]) => scores.map((score, at) => ({ id: `${at}`, score }));
const scoresOf = (list: readonly { readonly score: number }[]) => list.map(({ score }) => score);

describe('the end of a list', () => {
  test('leaves out the hits that equal the first one past it', () => {
    expect(scoresOf(cutBeforeEquals(hits(5, 4, 3, 2, 2), 4))).toEqual([5, 4, 3]);
  });

  test('leaves out nothing where the first hit past it is worse, or where there is none', () => {
    expect(scoresOf(cutBeforeEquals(hits(5, 4, 3, 2, 1), 4))).toEqual([5, 4, 3, 2]);
    expect(scoresOf(cutBeforeEquals(hits(2, 2, 2, 2), 4))).toEqual([2, 2, 2, 2]);
    expect(cutBeforeEquals([], 4)).toEqual([]);
  });

  test('leaves a list as it is where more than half of it would go', () => {
    expect(scoresOf(cutBeforeEquals(hits(5, 2, 2, 2, 2), 4))).toEqual([5, 2, 2, 2]);
  });

  test('does not depend on which of equals the index lets in', () => {
    const units = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(units, fc.integer({ min: 1, max: 20 }), fc.nat(), (scores, limit, turn) => {
        const stored = hits(...scores);
        // The same points in segments of another order: equals stand in another order.
        const moved = [
          ...stored.slice(turn % stored.length),
          ...stored.slice(0, turn % stored.length),
        ];
        const listOf = (points: typeof stored) =>
          cutBeforeEquals(points.toSorted((a, b) => b.score - a.score).slice(0, limit + 1), limit);
        const [one, other] = [listOf(stored), listOf(moved)];
        const past = stored.toSorted((a, b) => b.score - a.score)[limit];
        const better = stored.filter(
          ({ score }) => past !== undefined && score > past.score,
        ).length;
        fc.pre(past === undefined || better >= limit / 2);
        expect(new Set(other.map(({ id }) => id))).toEqual(new Set(one.map(({ id }) => id)));
      }),
    );
  });
});
