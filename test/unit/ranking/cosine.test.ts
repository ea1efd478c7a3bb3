import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { cosineOf, directionOf } from '../../../domain/ranking/cosine.ts';

const numbers = fc
  .double({ min: -1e3, max: 1e3, noNaN: true })
  .map((n) => (Math.abs(n) < 1e-6 ? 0 : n));
const vectors = fc.tuple(
  fc.array(numbers, { minLength: 3, maxLength: 3 }),
  fc.array(numbers, { minLength: 3, maxLength: 3 }),
);

describe('the direction of a vector', () => {
  test('has length one, and is the same for every multiple', () => {
    fc.assert(
      fc.property(vectors, fc.double({ min: 0.5, max: 9, noNaN: true }), ([vector], times) => {
        const direction = directionOf(vector);
        if (direction === null) return;
        expect(cosineOf(direction, direction)).toBeCloseTo(1, 9);
        const longer = directionOf(vector.map((n) => n * times));
        expect(longer === null ? null : cosineOf(direction, longer)).toBeCloseTo(1, 9);
      }),
    );
  });

  test.each([[[]], [[0, 0, 0]], [[1, Number.POSITIVE_INFINITY]]])('%j has none', (vector) => {
    expect(directionOf(vector)).toBeNull();
  });
});

test('the cosine of two directions is the cosine of the angle between their vectors', () => {
  fc.assert(
    fc.property(vectors, ([a, b]) => {
      const [inA, inB] = [directionOf(a), directionOf(b)];
      if (inA === null || inB === null) return;
      const product = a.reduce((sum, n, at) => sum + n * (b[at] ?? 0), 0);
      expect(cosineOf(inA, inB)).toBeCloseTo(product / (Math.hypot(...a) * Math.hypot(...b)), 9);
      expect(cosineOf(inA, inB)).toBe(cosineOf(inB, inA));
    }),
  );
});
