/** How long a statement holds, in words. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Precision, WindowEnd } from '../../../domain/statements/candidate.ts';
import { validityPhrase } from '../../../domain/statements/validity-phrase.ts';

const end = (at: string, precision: Precision): WindowEnd => ({ at, precision });
const DAY = end('2031-03-12T00:00:00.000Z', 'day');
const YEAR = end('2032-01-01T00:00:00.000Z', 'year');

test.each([
  [null, null, 'no dates known'],
  [DAY, null, 'true from 2031-03-12'],
  [null, YEAR, 'true until 2032'],
  [DAY, YEAR, 'true from 2031-03-12 to 2032'],
  [end('2031-03-01T00:00:00.000Z', 'month'), null, 'true from 2031-03'],
  [end('2031-03-12T09:30:59.999Z', 'time'), null, 'true from 2031-03-12T09:30Z'],
  [end('0001-01-01T00:00:00.000Z', 'year'), null, 'true from 0001'],
  [end('9999-12-31T23:00:00.000Z', 'day'), null, 'true from 9999-12-31'],
])('%j to %j is "%s"', (from, until, phrase) => {
  expect(validityPhrase({ from, until })).toBe(phrase);
});

const HOUR_MS = 3_600_000;

test('a date is the one on the calendar of who said it, from UTC-10 to UTC+13', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('1900-01-01'),
        max: new Date('2100-12-31'),
        noInvalidDate: true,
      }),
      fc.integer({ min: -40, max: 52 }),
      fc.constantFrom<Precision>('year', 'month', 'day'),
      (instant, quarters, precision) => {
        const date = instant
          .toISOString()
          .slice(0, { year: 4, month: 7, day: 10, time: 16 }[precision]);
        const localMidnight = Date.parse(date) - quarters * (HOUR_MS / 4);
        const from = end(new Date(localMidnight).toISOString(), precision);
        expect(validityPhrase({ from, until: null })).toBe(`true from ${date}`);
      },
    ),
  );
});
