/** How the cards of a chain inherit. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  effectiveRequirements,
  MOST_CHECKED,
  requirementsToCheck,
} from '../../../domain/skills/inherit.ts';
import { cardOf } from './fixtures.ts';

const keysOf = (cards: Parameters<typeof effectiveRequirements>[0]) =>
  effectiveRequirements(cards).map(({ card, requirement }) => [requirement.key, card.scopePath]);

describe('inheritance', () => {
  test('takes requirements of all cards, and of one key that of the nearest', () => {
    const root = cardOf('/', [{ key: 'a' }, { key: 'b' }]);
    const near = cardOf('/team', [{ key: 'b' }, { key: 'c' }]);
    expect(keysOf([root, near])).toEqual([
      ['a', '/'],
      ['b', '/team'],
      ['c', '/team'],
    ]);
  });

  test('takes away what a nearer tombstone names, until a still nearer card names it again', () => {
    const root = cardOf('/', [{ key: 'a' }, { key: 'b' }]);
    const tombstone = cardOf('/team', [{ key: 'a', enabled: false }]);
    const again = cardOf('/team/deep', [{ key: 'a' }]);
    expect(keysOf([root, tombstone])).toEqual([['b', '/']]);
    expect(keysOf([root, tombstone, again])).toEqual([
      ['b', '/'],
      ['a', '/team/deep'],
    ]);
  });

  test('is that of the nearest card that names the key, for all chains', () => {
    const requirement = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      enabled: fc.boolean(),
    });
    const card = fc.uniqueArray(requirement, { selector: ({ key }) => key });
    fc.assert(
      fc.property(fc.array(card, { maxLength: 5 }), (chain) => {
        const cards = chain.map((requirements, depth) => cardOf(`/${depth}`, requirements));
        const found = new Map(keysOf(cards) as [string, string][]);
        for (const key of ['a', 'b', 'c', 'd']) {
          const depth = chain.findLastIndex((all) => all.some((one) => one.key === key));
          const nearest = chain[depth]?.find((one) => one.key === key);
          expect(found.get(key)).toBe(nearest?.enabled === true ? `/${depth}` : undefined);
        }
      }),
    );
  });
});

describe('what a report checks', () => {
  const many = (path: string, count: number) =>
    cardOf(
      path,
      Array.from({ length: count }, (_, n) => ({ key: `${path.slice(1)}-${n}` })),
    );

  test('is everything where there is not too much', () => {
    const { checked, unchecked } = requirementsToCheck([many('/', 60), many('/team', 4)]);
    expect([checked.length, unchecked]).toEqual([MOST_CHECKED, 0]);
  });

  test('are the requirements of the nearest cards where there is too much, in their order', () => {
    const cards = [many('/', 60), many('/team', 3), many('/team/deep', 4)];
    const { checked, unchecked } = requirementsToCheck(cards);
    expect([checked.length, unchecked]).toEqual([MOST_CHECKED, 3]);
    const keys = checked.map(({ requirement }) => requirement.key);
    const all = effectiveRequirements(cards).map(({ requirement }) => requirement.key);
    expect(keys).toEqual(all.filter((key) => keys.includes(key)));
    expect(checked.filter(({ card }) => card.scopePath !== '/')).toHaveLength(7);
  });
});
