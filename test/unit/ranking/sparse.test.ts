import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import {
  exactQuery,
  pointVector,
  queryWeight,
  roundScore,
  sparseValue,
  sparseVector,
  storedValue,
} from '../../../domain/ranking/sparse.ts';
import { murmur3, termId } from '../../../domain/ranking/term-id.ts';

describe('sparse values', () => {
  test('follow the published formula', () => {
    expect(sparseValue(1, 30)).toBeCloseTo(1.9 / 1.9, 12);
    expect(sparseValue(2, 0)).toBeCloseTo(3.8 / 2.54, 12);
    expect(queryWeight(2, 100, 9)).toBeCloseTo(2 * Math.log(1 + 91.5 / 9.5), 12);
  });

  test('grow with the frequency, fall with the length and stay below their limit', () => {
    const tf = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(tf, fc.integer({ min: 0, max: 1000 }), (f, length) => {
        expect(sparseValue(f + 1, length)).toBeGreaterThan(sparseValue(f, length));
        expect(sparseValue(f, length + 10)).toBeLessThan(sparseValue(f, length));
        expect(sparseValue(f, length)).toBeLessThan(1.9);
      }),
    );
  });

  test('a df above the number of documents still gives a positive weight', () => {
    expect(queryWeight(1, 3, 7)).toBeGreaterThan(0);
  });

  test('the dot product of point and query is the BM25 score', () => {
    const point = pointVector(
      'acc',
      new Map([
        ['tea', 2],
        ['oslo', 1],
      ]),
      3,
    );
    const query = sparseVector('acc', [['tea', queryWeight(1, 10, 4)]]);
    const at = point.indices.indexOf(query.indices[0] ?? -1);
    expect((point.values[at] ?? 0) * (query.values[0] ?? 0)).toBeCloseTo(
      storedValue(2, 3) * queryWeight(1, 10, 4),
      12,
    );
  });

  test('of a point are at most a 2,048th from the formula, and never nothing', () => {
    const tf = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(tf, fc.integer({ min: 0, max: 100 }), (f, length) => {
        expect(Math.abs(storedValue(f, length) - sparseValue(f, length))).toBeLessThanOrEqual(
          sparseValue(f, length) < 2 ** -11 ? 2 ** -10 : 2 ** -11,
        );
        expect(storedValue(f, length)).toBeGreaterThan(0);
      }),
    );
  });

  test('and the weights of a query give the same score in 32-bit floats in any order', () => {
    const term = fc.record({
      weight: fc.double({ min: 0.001, max: 15, noNaN: true }),
      tf: fc.double({ min: 0.01, max: 50, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(term, { minLength: 1, maxLength: 256 }), fc.nat(), (terms, turn) => {
        const { values } = exactQuery({
          indices: terms.map((_, at) => at),
          values: terms.map(({ weight }) => weight),
        });
        const products = terms.map(({ tf }, at) =>
          Math.fround(Math.fround(storedValue(tf, 30)) * Math.fround(values[at] ?? 0)),
        );
        const sumOf = (all: readonly number[]) =>
          all.reduce((sum, one) => Math.fround(sum + one), 0);
        const from = turn % products.length;
        const turned = [...products.slice(from), ...products.slice(0, from)];
        expect(sumOf(turned)).toBe(sumOf(products));
        expect(sumOf(products.toReversed())).toBe(sumOf(products));
      }),
    );
  });

  test('of a query keep its weights to a four-thousandth of their sum', () => {
    const weights = fc.array(fc.double({ min: 1e-6, max: 15, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(weights, (values) => {
        const exact = exactQuery({ indices: values.map((_, at) => at), values });
        const sum = values.reduce((a, b) => a + b, 0);
        values.forEach((value, at) => {
          expect(Math.abs((exact.values[at] ?? 0) - value)).toBeLessThanOrEqual(sum / 4_000);
        });
      }),
    );
    expect(exactQuery({ indices: [], values: [] })).toEqual({ indices: [], values: [] });
  });

  test('indices are unique, ascending 32-bit integers', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (terms) => {
        const { indices, values } = sparseVector(
          'acc',
          terms.map((t) => [t, 1] as const),
        );
        expect(indices).toEqual([...new Set(indices)].toSorted((a, b) => a - b));
        expect(values.reduce((a, b) => a + b, 0)).toBe(terms.length);
        expect(indices.every((i) => Number.isInteger(i) && i >= 0 && i < 2 ** 32)).toBe(true);
      }),
    );
  });

  test('scores are rounded to a thousandth', () => {
    expect(roundScore(1.23449)).toBe(1.234);
  });
});

describe('term ids', () => {
  test('are those of MurmurHash3 over UTF-16 code units', () => {
    expect(murmur3('', 0)).toBe(0);
    expect(murmur3('', 1)).toBe(0x514e28b7);
    expect(murmur3('\u0000\u0000', 0)).toBe(0x2362f9de);
    expect(murmur3('\u4321\u8765', 0)).toBe(0xf55b516b);
  });

  test('differ between accounts and repeat within one', () => {
    expect(termId('a', 'tea')).toBe(termId('a', 'tea'));
    expect(termId('a', 'tea')).not.toBe(termId('b', 'tea'));
  });
});
