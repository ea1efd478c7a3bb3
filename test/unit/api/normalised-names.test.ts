/** Names and paths that a caller sends: what normalising them may cost. */
import { expect, jest, test } from '@jest/globals';
import { parseLabel } from '../../../domain/identity/label.ts';
import { parseScopePath } from '../../../domain/scopes/path.ts';

const MARKS = '\u0301\u0316';

test('a name of 256 characters is accepted when each of them is written as letter and marks', () => {
  const label = 'ậ'.repeat(256);
  expect(parseLabel(` ${label.normalize('NFD')} `)).toBe(label);
  const segment = 'ậ'.repeat(128);
  expect(parseScopePath(`/${segment.normalize('NFD')}/a`)).toBe(`/${segment}/a`);
});

test.each([
  ['name', parseLabel, (n: number) => `a${MARKS.repeat(n)}`],
  ['path of one segment', parseScopePath, (n: number) => `a${MARKS.repeat(n)}`],
  ['path of many', parseScopePath, (n: number) => `a${MARKS}/`.repeat(n)],
])(
  'marks without end in a %s are refused before anything normalises them',
  (_name, parse, text) => {
    const normalised = jest.spyOn(String.prototype, 'normalize');
    try {
      expect(parse(text(20_000))).toBeNull();
      expect(normalised).not.toHaveBeenCalled();
    } finally {
      normalised.mockRestore();
    }
  },
);
