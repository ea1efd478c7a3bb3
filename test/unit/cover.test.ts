import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { covering } from '../support/cover.ts';

test('a cover has every tag that any of the things has, and nothing that adds none', () => {
  const things = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e')), { maxLength: 12 });
  fc.assert(
    fc.property(things, (all) => {
      const chosen = covering(all, (tags) => tags);
      expect(new Set(chosen.flat())).toEqual(new Set(all.flat()));
      expect(chosen.length).toBeLessThanOrEqual(new Set(all.flat()).size);
    }),
  );
});

test('of things with the same tags one is chosen', () => {
  expect(covering([1, 2, 3], () => ['same'])).toEqual([1]);
});
