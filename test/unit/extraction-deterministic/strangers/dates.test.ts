/** A date that two readers read as two days names no day: where day and month can be exchanged, nobody can tell them apart. */
import { expect, test } from '@jest/globals';
import { drawn } from '../conversation.ts';

const SIGNS = ['/', '-', '.'];
const PAIRS = [
  [3, 4],
  [4, 3],
  [1, 2],
  [12, 11],
  [5, 9],
  [9, 5],
  [7, 8],
  [10, 6],
  [2, 12],
  [6, 1],
] as const;

const padded = (number: number): string => String(number).padStart(2, '0');
const saidOn = (date: string, n: number): string =>
  n % 2 === 0 ? `I sold my boat on ${date}.` : `My exam was on ${date}.`;

const AMBIGUOUS = PAIRS.flatMap(([a, b], n) =>
  SIGNS.map((sign) => {
    const [first, second] = n % 3 === 0 ? [padded(a), padded(b)] : [String(a), String(b)];
    return saidOn([first, second, 2025].join(sign), n);
  }),
);

test('ambiguous dates are tried in thirty forms', () => {
  expect(new Set(AMBIGUOUS).size).toBeGreaterThanOrEqual(30);
});

test.each(AMBIGUOUS)('no day and no month is read in: %s', (said) => {
  const [found] = drawn(said);
  expect(found).toMatchObject({ relevantFrom: null, relevantUntil: null });
});

/** A number above twelve is a day, whichever stands first; and a day of its own number can be exchanged for itself. */
const PLAIN: readonly (readonly [string, string])[] = [
  ['13/04/2025', '2025-04-13'],
  ['04/13/2025', '2025-04-13'],
  ['31-01-2025', '2025-01-31'],
  ['01-31-2025', '2025-01-31'],
  ['25.12.2025', '2025-12-25'],
  ['05/05/2025', '2025-05-05'],
  ['2025-03-04', '2025-03-04'],
  ['4 March 2025', '2025-03-04'],
  ['March 4, 2025', '2025-03-04'],
];

test.each(PLAIN)('one day is read in %s', (date, day) => {
  const [found] = drawn(`I sold my boat on ${date}.`);
  expect(found?.relevantFrom).toEqual({ at: `${day}T00:00:00.000Z`, precision: 'day' });
});
