/** What nobody sees in a text goes, and only that. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { holdsUnseen, withoutUnseen } from '../../../domain/text/unseen.ts';

/** Pieces that meet in any order: letters of three scripts, pictures, joiners, and what goes. */
const PIECES = [
  'a',
  'é',
  ' ',
  '\u0645',
  '\u06CC',
  '\u0915',
  '\u094D',
  '\u{1F468}',
  '\u{1F3FD}',
  '\u2764',
  '\uFE0F',
  '\u0601',
  '\u200C',
  '\u200D',
  '\u200B',
  '\u202E',
  '\u2066',
  '\u00AD',
  '\uFEFF',
  '\u{E0067}',
];
const ALWAYS_GOES = /[\u200B\u202E\u2066\u00AD\uFEFF\u{E0067}]/u;
const JOINERS = /[\u200C\u200D]/gu;
const anyText = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 12 })
  .map((parts) => parts.join(''));

test('what is left holds nothing of it, is left alone the second time, and has lost nothing that is seen', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const left = withoutUnseen(text);
      expect(left).not.toMatch(ALWAYS_GOES);
      expect(withoutUnseen(left)).toBe(left);
      expect(holdsUnseen(left)).toBe(false);
      const seen = (of: string) =>
        of.replaceAll(new RegExp(ALWAYS_GOES, 'gu'), '').replaceAll(JOINERS, '');
      expect(seen(left)).toBe(seen(text));
    }),
  );
});

test.each([
  ['between letters of a script that spells with them', '\u0645\u06CC\u200C\u062E', true],
  ['after the mark that joins two letters', '\u0915\u094D\u200D\u0937', true],
  ['between pictures that are one', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}', true],
  ['after the colour of a picture', '\u{1F469}\u{1F3FD}\u200D\u{1F4BB}', true],
  ['between letters that need none', 'a\u200Db', false],
  ['at the end of a word', '\u0645\u200C', false],
  ['beside another one', '\u0645\u200C\u200C\u062E', false],
])('a joiner %s: %s', (_where, text, stays) => {
  expect(withoutUnseen(text) === text).toBe(stays);
});
