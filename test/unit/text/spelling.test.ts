/** Words that differ by a slip of the pen. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  isListedWord,
  slipsBetween,
  spellingKeys,
  wordMeantBy,
} from '../../../domain/text/spelling.ts';
import { sized } from '../../support/run.ts';

/** Optimal string alignment by its recurrence, without bounds. */
function slipsByRecurrence(a: readonly string[], b: readonly string[]): number {
  const known = new Map<string, number>();
  const at = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i}/${j}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const ways = [
      at(i - 1, j) + 1,
      at(i, j - 1) + 1,
      at(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1]),
    ];
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
      ways.push(at(i - 2, j - 2) + 1);
    const least = Math.min(...ways);
    known.set(key, least);
    return least;
  };
  return at(a.length, b.length);
}

/** Few letters, so that words are often near each other. */
const wordOf = (minLength: number, maxLength: number) =>
  fc
    .array(fc.constantFrom('a', 'b', 'c', 'é', '\u{10780}'), { minLength, maxLength })
    .map((letters) => letters.join(''));

const edit = fc.record({
  kind: fc.constantFrom('leave out', 'put in', 'replace', 'swap'),
  at: fc.nat(40),
  letter: fc.constantFrom('a', 'b', 'z'),
});

function edited(word: string, { at, kind, letter }: { kind: string; at: number; letter: string }) {
  const letters = Array.from(word);
  const place = at % letters.length;
  if (kind === 'leave out') letters.splice(place, 1);
  else if (kind === 'put in') letters.splice(place, 0, letter);
  else if (kind === 'replace') letters.splice(place, 1, letter);
  else letters.splice(place, 2, ...letters.slice(place, place + 2).toReversed());
  return letters.join('');
}

const lengthOf = (word: string): number => Array.from(word).length;
const forgiven = (one: string, other: string): number =>
  Math.min(lengthOf(one), lengthOf(other)) < 8 ? 1 : 2;

describe('slips between words', () => {
  test('are those of the recurrence, in both directions, and null past the most', () => {
    fc.assert(
      fc.property(wordOf(0, 10), wordOf(0, 10), fc.integer({ min: 0, max: 3 }), (a, b, most) => {
        const slips = slipsByRecurrence(Array.from(a), Array.from(b));
        const expected = slips <= most ? slips : null;
        expect(slipsBetween(a, b, most)).toBe(expected);
        expect(slipsBetween(b, a, most)).toBe(expected);
      }),
      { numRuns: sized({ short: 400, long: 2_000 }) },
    );
  });

  test.each([
    ['harbour', 'harbor', 1],
    ['harbour', 'ahrbour', 1],
    ['harbour', 'harbouur', 1],
    ['harbour', 'harbuor', 1],
    ['harbour', 'arbor', 2],
    ['über', 'uber', 1],
  ])('%s and %s: %d', (one, other, slips) => {
    expect(slipsBetween(one, other, 2)).toBe(slips);
  });
});

describe('the keys of a word', () => {
  const near = fc
    .tuple(wordOf(4, 16), fc.array(edit, { minLength: 0, maxLength: 2 }))
    .map(([word, edits]) => [word, edits.reduce(edited, word)] as const)
    .filter(
      ([word, other]) =>
        isListedWord(word) &&
        isListedWord(other) &&
        slipsBetween(word, other, forgiven(word, other)) !== null,
    );

  test('are shared by all words within the slips that are forgiven', () => {
    fc.assert(
      fc.property(near, ([word, other]) => {
        const keys = new Set(spellingKeys(word));
        expect(spellingKeys(other).some((key) => keys.has(key))).toBe(true);
      }),
      { numRuns: sized({ short: 1_000, long: 5_000 }) },
    );
  });

  test('are at most 29, and never longer than the word', () => {
    fc.assert(
      fc.property(wordOf(4, 32), (word) => {
        const keys = spellingKeys(word);
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys.length).toBeLessThanOrEqual(29);
        expect(Math.max(...keys.map(lengthOf))).toBeLessThanOrEqual(6);
      }),
    );
    expect(spellingKeys('abcdefgh')).toHaveLength(27);
  });
});

describe('a listed word', () => {
  test.each(['word', 'größe', 'a'.repeat(32)])('is %s', (word) => {
    expect(isListedWord(word)).toBe(true);
  });

  test.each([
    'abc',
    'a'.repeat(33),
    'route66',
    'ab12cd',
    "don't",
    'слово',
    'שלום',
    '日本語文',
    'two words',
    '',
  ])('is not %s', (word) => {
    expect(isListedWord(word)).toBe(false);
  });
});

describe('the word that is meant', () => {
  const meant = (word: string, listed: Readonly<Record<string, number>>): string | undefined =>
    wordMeantBy(
      word,
      Object.entries(listed).map(([other, statements]) => ({ word: other, statements })),
    )?.word;

  test('has as few slips as any, then the same first letter, then most statements, then comes first', () => {
    expect(meant('mountian', { mountain: 1, mountainy: 9 })).toBe('mountain');
    expect(meant('boats', { coats: 9, boat: 1 })).toBe('boat');
    expect(meant('canon', { canoe: 2, cannon: 3 })).toBe('cannon');
    expect(meant('tram', { tray: 1, trap: 1 })).toBe('trap');
    // Code units would order these two the other way round.
    expect(meant('tram', { 'tra\u{10780}': 1, 'tra\uFF41': 1 })).toBe('tra\uFF41');
  });

  test('has one slip at most below eight letters, and two from there on', () => {
    expect(meant('habor', { harbour: 1 })).toBeUndefined();
    expect(meant('photogrphay', { photography: 1 })).toBe('photography');
    expect(meant('photograqhay', { photography: 1 })).toBe('photography');
    expect(meant('hotograqhay', { photography: 1 })).toBeUndefined();
    expect(meant('morning', { evenings: 1 })).toBeUndefined();
  });

  test('is never the word itself, and the same in whatever order words are listed', () => {
    expect(meant('canoe', { canoe: 1 })).toBeUndefined();
    const listed = fc.array(
      fc.record({
        word: wordOf(4, 6).filter(isListedWord),
        statements: fc.integer({ min: 1, max: 3 }),
      }),
    );
    fc.assert(
      fc.property(
        wordOf(4, 6),
        fc.uniqueArray(
          listed.map((all) => all[0] ?? { word: 'aaaa', statements: 1 }),
          { selector: ({ word }) => word },
        ),
        (word, all) => {
          expect(wordMeantBy(word, all.toReversed())).toEqual(wordMeantBy(word, all));
        },
      ),
    );
  });
});
