/** Where a text stops to be JSON. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { placeOfJsonFault } from '../../../domain/text/json-fault.ts';
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

  test('of a deep or long text is found without running out of stack or time', () => {
    expect(placeOfJsonFault('['.repeat(200_000))).toEqual({ line: 1, column: 200_001 });
    expect(placeOfJsonFault(`"${'a'.repeat(250_000)}`)).toEqual({ line: 1, column: 1 });
  });
});
