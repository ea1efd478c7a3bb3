import { describe, expect, test } from '@jest/globals';
import { isoInstant } from '../../../measure/data/spoken-time.ts';

describe('the time of a turn', () => {
  test.each([
    ['1:56 pm on 8 May, 2023', '2023-05-08T13:56:00.000Z'],
    ['12:09 am on 13 September, 2023', '2023-09-13T00:09:00.000Z'],
    ['12:30 pm on 29 February 2024', '2024-02-29T12:30:00.000Z'],
    ['9:55 AM on 22 Oct, 2023', '2023-10-22T09:55:00.000Z'],
  ])('written as %s is read as UTC', (written, instant) => {
    expect(isoInstant(written)).toBe(instant);
  });

  test('in ISO 8601 with a zone stays as it is', () => {
    expect(isoInstant('2023-05-08T13:56:00+02:00')).toBe('2023-05-08T13:56:00+02:00');
  });

  test.each([
    'yesterday',
    '',
    '13:56 pm on 8 May, 2023',
    '0:10 am on 8 May, 2023',
    '1:75 pm on 8 May, 2023',
    '1:56 pm on 31 June, 2023',
    '1:56 pm on 8 Mai, 2023 or so',
    '2023-13-08T13:56:00Z',
    '2023-05-08T13:56:00',
  ])('written as "%s" is refused, since the service would take it to mean now', (written) => {
    expect(() => isoInstant(written)).toThrow('names no readable time');
  });
});
