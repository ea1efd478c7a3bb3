import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { fuse } from '../../../domain/ranking/fusion.ts';
import type { StrategyList } from '../../../domain/ranking/fusion.ts';

const WEIGHTS = { lexical: 1, semantic: 0.2, temporal: 0.7 };

const item = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  score: fc.integer({ min: -5, max: 50 }),
});
const lists: fc.Arbitrary<StrategyList[]> = fc
  .tuple(...Object.keys(WEIGHTS).map(() => fc.uniqueArray(item, { selector: (i) => i.id })))
  .map((all) => all.map((items, i) => ({ strategy: Object.keys(WEIGHTS)[i] ?? '', items })));

describe('fusion', () => {
  test('scores a single hit of the only strategy with one', () => {
    const [only] = fuse([{ strategy: 'lexical', items: [{ id: 'a', score: 3 }] }], WEIGHTS);
    expect(only).toMatchObject({ id: 'a', score: 1 });
  });

  test('follows the formula for two lists', () => {
    const fused = fuse(
      [
        {
          strategy: 'lexical',
          items: [
            { id: 'a', score: 10 },
            { id: 'b', score: 4 },
            { id: 'c', score: 2 },
          ],
        },
        { strategy: 'semantic', items: [{ id: 'b', score: 0.5 }] },
      ],
      WEIGHTS,
    );
    const lexicalB = 0.95 * (2 / 8) + 0.05 * (16 / 17);
    expect(fused.find((f) => f.id === 'b')?.score).toBeCloseTo((lexicalB + 0.2) / 1.2, 12);
    expect(fused.map((f) => f.id)).toEqual(['a', 'b', 'c']);
  });

  test('a strategy that ran and found nothing lowers every score', () => {
    const hit: StrategyList = { strategy: 'lexical', items: [{ id: 'a', score: 1 }] };
    const fused = fuse([hit, { strategy: 'temporal', items: [] }], WEIGHTS);
    expect(fused[0]?.score).toBeCloseTo(1 / 1.7, 12);
  });

  test('ties are ordered by id', () => {
    const fused = fuse(
      [
        { strategy: 'lexical', items: [{ id: 'z', score: 1 }] },
        { strategy: 'semantic', items: [{ id: 'a', score: 1 }] },
      ],
      { lexical: 1, semantic: 1 },
    );
    expect(fused.map((f) => f.id)).toEqual(['a', 'z']);
  });

  test('a strategy without a weight is an error', () => {
    expect(() => fuse([{ strategy: 'unknown', items: [] }], WEIGHTS)).toThrow(RangeError);
  });

  test('scores lie between zero and one and the order of the input does not matter', () => {
    fc.assert(
      fc.property(lists, (input) => {
        const fused = fuse(input, WEIGHTS);
        expect(fused.every((f) => f.score >= 0 && f.score <= 1 + 1e-12)).toBe(true);
        const shuffled = input.toReversed().map((l) => ({ ...l, items: l.items.toReversed() }));
        expect(fuse(shuffled, WEIGHTS)).toEqual(fused);
      }),
    );
  });
});
