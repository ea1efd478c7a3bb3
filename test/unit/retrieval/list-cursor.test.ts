import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readCursor, writeCursor } from '../../../operations/retrieval/list-cursor.ts';

const places = fc.record({
  confidence: fc.double({ min: 0, max: 1, noNaN: true }).map((share) => share + 0),
  recordedAt: fc
    .date({ min: new Date('1990-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
    .chain((date) =>
      fc
        .integer({ min: 0, max: 999 })
        .map((micros) => date.toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`)),
    ),
  id: fc.uuid(),
});

test('a cursor is read as the place that was written', () => {
  fc.assert(
    fc.property(places, (place) => {
      expect(readCursor(writeCursor(place))).toEqual(place);
    }),
  );
});

test('any other text is read as no place, and never throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json().map((json) => Buffer.from(json).toString('base64url')),
      ),
      (text) => {
        expect(readCursor(text)).toBeNull();
      },
    ),
  );
});
