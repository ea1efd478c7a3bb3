import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { base62Width, decodeBase62, encodeBase62 } from '../../../domain/identity/base62.ts';
import {
  formatApiKey,
  formatToken,
  isWellFormedSecret,
  parseApiKey,
} from '../../../runtime/identity/secret-text.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const key = fc
  .tuple(fc.uuid(), bytes(32))
  .map(([id, random]) => ({ id, text: formatApiKey(id, random) }));

describe('base 62', () => {
  test('decoding returns the encoded bytes, with one width for each length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (value) => {
        const text = encodeBase62(value);
        expect(text).toHaveLength(base62Width(value.length));
        expect(decodeBase62(text, value.length)).toEqual(value);
      }),
    );
  });

  test('another width, another character and a number too large are no encoding', () => {
    expect(decodeBase62('000000', 1)).toBeNull();
    expect(decodeBase62('-0', 1)).toBeNull();
    expect(decodeBase62('zz', 1)).toBeNull();
    expect(decodeBase62('47', 1)).toEqual(Uint8Array.of(255));
  });
});

describe('an API key', () => {
  test('begins with vch_, is of letters and digits, and names its credential', () => {
    fc.assert(
      fc.property(key, ({ id, text }) => {
        expect(text).toMatch(/^vch_[0-9A-Za-z]{71}$/);
        expect(parseApiKey(text)).toBe(id);
        expect(isWellFormedSecret(text)).toBe(true);
      }),
    );
  });

  test('with one character changed is no key', () => {
    fc.assert(
      fc.property(key, fc.nat({ max: 74 }), ({ text }, at) => {
        const other = text[at] === 'x' ? 'y' : 'x';
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        expect(parseApiKey(changed)).toBeNull();
        expect(isWellFormedSecret(changed)).toBe(false);
      }),
    );
  });

  test('that was given out stays one: its letters and its checksum are made as ever', () => {
    const id = '0198c8c8-0000-7000-8000-000000000000';
    const random = Uint8Array.from({ length: 32 }, (_, index) => index);
    expect(formatApiKey(id, random)).toBe(
      'vch_02wugtvkPdNmyzs757nT6rSkV0UUUsX9vMglAlV1UMUx3aMeLryKnUYrXuUYmtQD93RvA2Y',
    );
  });

  test('is made only of a UUID and 32 bytes', () => {
    expect(() => formatApiKey('not-an-id', new Uint8Array(32))).toThrow(RangeError);
    expect(() => formatApiKey('0198c8c8-0000-7000-8000-000000000000', new Uint8Array(31))).toThrow(
      RangeError,
    );
  });
});

test('a token is well-formed, and any other text is not', () => {
  expect(isWellFormedSecret(formatToken('A'.repeat(43)))).toBe(true);
  for (const text of ['', 'vpt_', formatToken('A'.repeat(42)), 'vch_', `vpt_${'!'.repeat(43)}`]) {
    expect(isWellFormedSecret(text)).toBe(false);
  }
});
