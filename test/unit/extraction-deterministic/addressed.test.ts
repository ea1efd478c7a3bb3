/** Expressions over the names of a crowd find what they find over the names that may stand in a sentence. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addressing } from '../../../engine/english-extractor/addressed.ts';

const anyOf = (names: readonly string[]): RegExp =>
  new RegExp(`(?:${names.map((name) => name.split(/\s+/u)[0]).join('|')})`, 'iu');

const name = fc.oneof(
  fc.constantFrom('Mel', 'Melanie Ros', 'Al', 'Össur', 'Kim', 'Sam', 'ſam', 'İda', 'STRAẞE', '李'),
  fc.stringMatching(/^[A-Za-z]{1,8}$/),
);
const sentence = fc.array(fc.oneof(name, fc.constantFrom(',', ' ', 'Hey', '\u212aim', 'ſAM')), {
  maxLength: 8,
});

test('the names that are left out could not have been found', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 30 }), sentence, (names, words) => {
      const said = words.join('');
      const all = anyOf(names).exec(said)?.[0] ?? null;
      const some = addressing(names, anyOf)(said)?.exec(said)?.[0] ?? null;
      expect(some).toBe(all);
    }),
  );
});

test('an expression is built for names that may stand in the sentence, and kept for the next one', () => {
  const built: string[][] = [];
  const names = Array.from({ length: 1_000 }, (_, n) => `Zoe${n}`);
  const address = addressing([...names, 'Mel'], (some) => {
    built.push([...some]);
    return anyOf(some);
  });
  expect(address('What a day')).toBeNull();
  expect(address('Hey mel, look')).not.toBeNull();
  expect(address('MEL: come here')).not.toBeNull();
  expect(built).toEqual([['Mel']]);
});
