import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseTimestamp } from '../../stores/postgres/timestamps.ts';

/** As Postgres prints an instant: no zeros at the end of a fraction. */
function printed(at: Date, micros: number, offset: string): string {
  const digits = String(at.getUTCMilliseconds()).padStart(3, '0') + String(micros).padStart(3, '0');
  const fraction = digits.replace(/0+$/, '');
  const seconds = at.toISOString().slice(0, 19).replace('T', ' ');
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}${offset}`;
}

const instants = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T00:00:00Z'),
  noInvalidDate: true,
});

test('an instant in UTC is read to the millisecond, the rest is cut off', () => {
  fc.assert(
    fc.property(instants, fc.nat({ max: 999 }), (at, micros) => {
      expect(parseTimestamp(printed(at, micros, '+00'))).toBe(at.toISOString());
    }),
  );
});

test('an instant of another zone is brought to UTC', () => {
  expect(parseTimestamp('2026-11-24 13:17:02.863+02')).toBe('2026-11-24T11:17:02.863Z');
  expect(parseTimestamp('2026-11-24 13:17:02+05:30')).toBe('2026-11-24T07:47:02.000Z');
});

test('infinities stay the words that Postgres prints', () => {
  expect(['infinity', '-infinity'].map(parseTimestamp)).toEqual(['infinity', '-infinity']);
});
