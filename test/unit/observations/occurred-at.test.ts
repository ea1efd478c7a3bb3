import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseOccurredAt } from '../../../domain/observations/occurred-at.ts';

test.each([
  ['2023-05-08', '2023-05-08T00:00:00.000Z', 0],
  ['2023-05-08T13:56', '2023-05-08T13:56:00.000Z', 0],
  ['2023-05-08 13:56:07', '2023-05-08T13:56:07.000Z', 0],
  ['2023-05-08T13:56:07.25Z', '2023-05-08T13:56:07.250Z', 0],
  ['2023-05-08T13:56:07,123456789z', '2023-05-08T13:56:07.123Z', 0],
  ['2023-05-08T01:00:00+02:00', '2023-05-07T23:00:00.000Z', 120],
  ['2023-05-08T23:00:00-0530', '2023-05-09T04:30:00.000Z', -330],
  ['2023-05-08T13:00-00:00', '2023-05-08T13:00:00.000Z', 0],
  ['2023-05-08T13:00+14', '2023-05-07T23:00:00.000Z', 840],
  ['2024-02-29', '2024-02-29T00:00:00.000Z', 0],
  ['0050-01-01', '0050-01-01T00:00:00.000Z', 0],
])('%s is an instant', (text, at, offsetMinutes) => {
  expect(parseOccurredAt(text)).toEqual({ at, offsetMinutes });
});

test.each([
  '1:56 pm on 8 May, 2023',
  '2023/04/10 (Mon) 23:07',
  '2023-02-29',
  '2023-13-01',
  '2023-05-08T24:00:00Z',
  '2023-05-08T23:60Z',
  '2023-05-08T23:59:60Z',
  '2023-05-08T10:00+24:00',
  '2023-05-08Z',
  '0000-01-01',
  '0001-01-01T00:00+01:00',
  '9999-12-31T23:59-01:00',
  '20230508',
  'yesterday',
  '',
])('%j is none', (text) => {
  expect(parseOccurredAt(text)).toBeNull();
});

test('every instant survives being written with any offset', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1000-01-01'), max: new Date('9000-01-01'), noInvalidDate: true }),
      fc.integer({ min: -1439, max: 1439 }),
      (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const two = (n: number): string => String(n).padStart(2, '0');
        const size = Math.abs(offset);
        const written = `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
        expect(parseOccurredAt(written)).toEqual({ at: date.toISOString(), offsetMinutes: offset });
      },
    ),
  );
});
