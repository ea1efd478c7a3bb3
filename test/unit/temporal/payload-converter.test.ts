import { describe, expect, test } from '@jest/globals';
import { RawValue } from '@temporalio/common';
import * as fc from 'fast-check';
import { payloadConverter } from '../../../runtime/temporal/payload-converter.ts';
import { sized } from '../../support/run.ts';

function codeOf(value: unknown): string {
  try {
    payloadConverter.toPayload(value);
    return 'admitted';
  } catch (error) {
    return error instanceof Error ? error.message : 'thrown';
  }
}

const accountId = '0199b2f0-7a10-7cc2-a5d6-0123456789ab';
const word = fc.stringMatching(/^[a-z]{2,12}$/);
/** Shapes that callers choose for their names. No purely hexadecimal or UUID-like ones: those are admitted. */
const sessionIds = fc.oneof(
  fc.tuple(word, fc.nat(99_999)).map(([name, n]) => `session-${name}-${n}`),
  fc.tuple(word, fc.nat(99_999)).map(([name, n]) => `${name}:${n}`),
  fc.nat({ max: 2 ** 31 }).map(String),
  fc.base64String({ minLength: 8, maxLength: 24 }).map((text) => `s${text}`),
);
const scopeSegments = fc.oneof(
  word.map((name) => `team-${name}`),
  fc.array(word, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join('/')}`),
  word.map((name) => `scope=${name}`),
  fc.tuple(word, fc.nat()).map(([name, n]) => `${name}x=${n}`),
);
const peerKeys = fc.oneof(
  fc.tuple(word, word).map(([a, b]) => `${a}.${b}`),
  word.map((name) => `user_${name}`),
  word.map((name) => `@${name}`),
);
const prose = fc.oneof(
  fc.lorem({ maxCount: 6 }).map((text) => `${text} indeed`),
  fc.string({ minLength: 1, unit: 'grapheme' }).map((text) => `${text} said so`),
);

describe('the payload converter refuses', () => {
  test.each([
    ['session ids', sessionIds],
    ['scope segments', scopeSegments],
    ['peer keys', peerKeys],
    ['e-mail addresses', fc.emailAddress()],
    ['prose', prose],
  ])('%s, wherever they stand', (_, arbitrary: fc.Arbitrary<string>) => {
    fc.assert(
      fc.property(arbitrary, (text) => {
        expect(codeOf(text)).toBe('TEXT_REFUSED');
        expect(codeOf([1, text])).toBe('TEXT_REFUSED');
        expect(codeOf({ totals: { ok: text } })).toBe('TEXT_REFUSED');
        expect(codeOf({ [text]: 1 })).toBe('TEXT_REFUSED');
      }),
      { numRuns: sized({ short: 200, long: 1_000 }) },
    );
  });

  test('values that can hide text: classes, functions, symbols, own serialisation, fractions', () => {
    class Named {
      readonly ok = 1;
    }
    for (const value of [
      new Named(),
      new Date(0),
      new Map([['ok', 1]]),
      new Uint8Array([1]),
      { toJSON: () => 'Anna moved to Lisbon' },
      () => 1,
      Symbol('ok'),
      1n,
      0.5,
      Number.NaN,
    ]) {
      expect(codeOf(value)).toBe('TYPE_REFUSED');
    }
  });

  test('deep and large values', () => {
    const deep = { ok: { ok: { ok: { ok: { ok: { ok: { ok: 1 } } } } } } };
    expect(codeOf(deep)).toBe('TYPE_REFUSED');
    expect(codeOf(Array.from({ length: 1_000 }, () => accountId))).toBe('TOO_LARGE');
  });
});

test.each([
  accountId,
  'a'.repeat(64),
  '2026-05-01T10:00:00.123Z',
  '2026-05-01T10:00:00+02:00',
  'circuit_open',
  'drains=3/ok=48/retry=2',
  `ingest/${accountId}/7`,
  42,
  true,
  null,
  undefined,
  { accountId, shard: 3, carried: { paused: false, totals: { drains: 1, ok: 2 } } },
])('the payload converter admits and returns %j', (value) => {
  expect(payloadConverter.fromPayload(payloadConverter.toPayload(value))).toEqual(value);
});

function raw(value: unknown): unknown {
  return payloadConverter.fromPayload(payloadConverter.toPayload(new RawValue(value)));
}

test('of raw answers only the definition and counters remain', () => {
  const definition = { type: 'ingestActor' };
  expect(raw({ definition, currentDetails: 'drains=1/ok=2' })).toEqual({
    definition,
    currentDetails: 'drains=1/ok=2',
  });
  expect(raw({ definition, currentDetails: 'Anna moved', more: 'Anna' })).toEqual({
    definition,
    currentDetails: '',
  });
  expect(raw('Error: Anna moved\n at x')).toBe('withheld');
});
