/** Recognition of secrets: nothing of them is left, and nothing else is touched. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MASK } from '../../../engine/secrets/mask-word.ts';
import { holdsSecret, maskSecrets } from '../../../engine/secrets/mask.ts';
import { AROUND, HARMLESS, PASTED, type Pasted } from './examples.ts';
import { sized } from '../../support/run.ts';

const MIB = 1_048_576;

async function masked(text: string): Promise<string> {
  const [result = ''] = await maskSecrets([text]);
  return result;
}

describe('a secret', () => {
  test.each(Object.entries(PASTED))('is masked wherever it stands: %s', async (_name, pasted) => {
    await fc.assert(
      fc.asyncProperty(pasted, AROUND, async ({ text, secret }, { before, after }) => {
        const sentence = before + text + after;
        const result = await masked(sentence);
        expect(result).not.toContain(secret);
        expect(result).toContain(MASK);
        expect(await holdsSecret(sentence)).toBe(true);
      }),
      { numRuns: sized({ short: 10, long: 25 }) },
    );
  });

  test('takes nothing of its sentence along', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    expect(await masked(`我的密钥是${key}。请保存。`)).toBe('我的密钥是[secret]。请保存。');
    expect(await masked(`Use ${key}, then ${key}.`)).toBe('Use [secret], then [secret].');
    expect(await masked('Connect to postgres://app:x7@db.example.org/app now.')).toBe(
      'Connect to postgres://[secret]@db.example.org/app now.',
    );
    expect(await masked('{"password":"a,b c","user":"ana"}')).toBe(
      '{"password":"[secret]","user":"ana"}',
    );
  });

  test('is not excused by a comment that a linter would obey', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    expect(await masked(`// secretlint-disable\n${key}`)).toBe('// secretlint-disable\n[secret]');
  });
});

describe('texts', () => {
  const some: fc.Arbitrary<Pasted> = fc.oneof(...Object.values(PASTED));
  const piece = fc.oneof(
    some.map(({ text }) => text),
    fc.constantFrom(...HARMLESS),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom('password', ': ', '=', '"', "'", '`', '**', ' is ', MASK, '@', '://', ':'),
  );
  const mixture = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

  test('that are masked stay as they are when they are masked again', async () => {
    await fc.assert(
      fc.asyncProperty(mixture, async (text) => {
        const once = await masked(text);
        expect(await masked(once)).toBe(once);
      }),
      { numRuns: sized({ short: 50, long: 200 }) },
    );
  });

  test('scanned together are masked as each of them alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(mixture, { maxLength: 6 }), async (texts) => {
        const alone = await Promise.all(texts.map(masked));
        expect(await maskSecrets(texts)).toEqual(alone);
      }),
      { numRuns: sized({ short: 30, long: 100 }) },
    );
  });

  test.each(HARMLESS)('without a secret are not touched: %s', async (text) => {
    expect(await masked(text)).toBe(text);
    expect(await holdsSecret(text)).toBe(false);
  });
});

// A pattern that is wrong takes hours, and the test does not end.
describe('a mebibyte is scanned to its end', () => {
  const PIECES = [
    'Ana moved to Porto. ',
    'a',
    'sk-',
    'eyJabcdefgh.',
    'a.',
    'a://b:',
    'password=',
    'password is ',
    'token:',
    'bearer ',
    '-----BEGIN PRIVATE KEY-----\n',
    '-----BEGIN ',
    'https://',
    '"',
    ' ',
    '我',
  ];

  test.each(PIECES)('of %j', async (piece) => {
    const text = piece.repeat(Math.ceil(MIB / piece.length)).slice(0, MIB);
    expect((await masked(text)).length).toBeGreaterThan(0);
  });
});
