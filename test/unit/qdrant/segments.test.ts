import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { segmentsFor } from '../../../stores/qdrant/segments.ts';

test('a small collection has two parts, a large one eight, and one that grows never fewer', () => {
  expect([0, 1, 100_000, 100_001, 350_000, 400_000, 10_000_000].map(segmentsFor)).toEqual([
    2, 2, 2, 3, 7, 8, 8,
  ]);
  fc.assert(
    fc.property(fc.nat(2_000_000), fc.nat(2_000_000), (points, more) => {
      expect(segmentsFor(points + more)).toBeGreaterThanOrEqual(segmentsFor(points));
    }),
  );
});
