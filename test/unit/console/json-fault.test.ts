/** Where a text stops to be JSON. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { placeOfJsonFault } from '../../../console/pages/skills/json-fault.ts';
import { sized } from '../../support/run.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the place of a fault', () => {
  const broken = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '}', ']', ',', ':', '"', '\\', '1', 'null', '\n', '\u0001', '\u0085'),
    )
    .map(([text, at, piece]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + piece + text.slice(place + (piece === '' ? 1 : 0));
    });

  test('is there exactly for texts that are not JSON', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), broken), (text) => {
        expect(placeOfJsonFault(text) === null).toBe(isJson(text));
      }),
      { numRuns: sized({ short: 400, long: 2_000 }) },
    );
  });

  test.each([
    ['', 1, 1],
    ['{', 1, 2],
    ['{"a": 1,}', 1, 9],
    ['{\n  "a": tru\n}', 2, 8],
    ['[1 2]', 1, 4],
    ['{} {}', 1, 4],
    ["{'a': 1}", 1, 2],
    ['[01]', 1, 3],
  ])('of %j is line %i, column %i', (text, line, column) => {
    expect(placeOfJsonFault(text)).toEqual({ line, column });
  });

  test('is not told behind 64 levels, and no depth or length takes too much stack or time', () => {
    const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}?`;
    expect(placeOfJsonFault(nested(64))).toEqual({ line: 1, column: 193 });
    expect(placeOfJsonFault(nested(66))).toBeNull();
    expect(placeOfJsonFault('['.repeat(200_000))).toBeNull();
    expect(placeOfJsonFault(`[${'[],'.repeat(100)}}`)).toEqual({ line: 1, column: 302 });
    expect(placeOfJsonFault(`"${'a'.repeat(250_000)}`)).toEqual({ line: 1, column: 1 });
  });
});
