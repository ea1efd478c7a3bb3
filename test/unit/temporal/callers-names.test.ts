/** What callers name things, in the shapes that chat systems and agents really use: a thousand of each kind. */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { payloadConverter } from '../../../runtime/temporal/payload-converter.ts';

const COUNT = 1_000;

function codeOf(value: unknown): string {
  try {
    payloadConverter.toPayload(value);
    return 'admitted';
  } catch (error) {
    return String(Reflect.get(Object(error), 'message'));
  }
}

const first =
  `alice bob carol dmitri élodie fatima gökhan hanna igor josé kim lars mia noor olga pavel quinn rosa
søren tomáš uma viktor wei xenia yusuf zoë 李雷 韩梅梅 Юлия Ολγα أحمد`.split(/\s+/);
const last =
  'smith müller garcía rossi novák o’brien tanaka nguyen иванова kaya silva jensen'.split(' ');
const words =
  `general random support standup onboarding invoices roadmap kitchen berlin lisbon payroll launch
design sales emea research legal hiring wiki mobile backend inbox daily retro`.split(/\s+/);

const one = (texts: readonly string[]) => fc.constantFrom(...texts);
const digits = (from: number, to: number) =>
  fc.stringMatching(new RegExp(`^[1-9][0-9]{${from - 1},${to - 1}}$`));
const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10));
const number = fc.nat(99_999);

const sessionIds = fc.oneof(
  one(words),
  fc.tuple(one(words), number).map(([word, n]) => `${word}-${n}`),
  fc.tuple(one(words), day).map(([word, date]) => `${word}/${date}`),
  day,
  fc.uuid({ version: 4 }),
  fc.uuid({ version: 1 }).map((id) => id.toUpperCase()),
  fc.uuid().map((id) => `session-${id}`),
  fc.uuid({ version: 4 }).map((id) => id.replaceAll('-', '')),
  fc.ulid(),
  fc.stringMatching(/^[A-Za-z0-9_-]{21}$/),
  digits(8, 15),
  digits(9, 13).map((id) => `-100${id}`),
  fc.stringMatching(/^[CDG][A-Z0-9]{8}$/),
  fc.tuple(digits(10, 10), digits(6, 6)).map(([seconds, micros]) => `${seconds}.${micros}`),
  fc.tuple(one(first), one(words)).map(([who, what]) => `${who}:${what}`),
  fc.tuple(one(first), one(last)).map((names) => `Chat with ${names.join(' ')}`),
);
const scopeSegments = fc.oneof(
  one(words),
  fc.tuple(one(words), one(words)).map((pair) => pair.join('-')),
  fc.tuple(one(words), number).map(([word, n]) => `${word}_${n}`),
  fc.tuple(one(words), one(words), one(first)).map((segments) => `/${segments.join('/')}`),
  fc.tuple(one(words), number).map(([word, n]) => `${word}=${n}`),
  fc.tuple(one(last), number).map(([name, n]) => `${name} GmbH ${n}`),
  fc.tuple(digits(4, 6), one(words)).map((pair) => pair.join('-')),
);
const peerKeys = fc.oneof(
  one(first),
  fc.tuple(one(first), one(last)).map((pair) => pair.join('.')),
  fc.tuple(one(first), number).map(([name, n]) => `${name}${n}`),
  number.map((n) => `user-${n}`),
  fc.stringMatching(/^U[A-Z0-9]{8}$/),
  digits(6, 12),
  digits(11, 13).map((phone) => `+${phone}`),
  fc.tuple(one(words), one(first)).map(([team, name]) => `${team}:@${name}`),
  fc.uuid({ version: 4 }),
);
const emails = fc.oneof(
  fc.emailAddress(),
  fc
    .tuple(one(['ada', 'ben', 'cleo']), one(words), number)
    .map(([a, b, n]) => `${a}.${b}+${n}@example.org`),
);

/** A thousand different ones. */
function thousand(arbitrary: fc.Arbitrary<string>): readonly string[] {
  const distinct = new Set(fc.sample(arbitrary, COUNT * 8));
  return [...distinct].slice(0, COUNT);
}

describe('the payload converter refuses each of a thousand', () => {
  test.each([
    ['session ids', sessionIds],
    ['scope segments', scopeSegments],
    ['peer keys', peerKeys],
    ['e-mail addresses', emails],
  ])('%s', (_, arbitrary) => {
    const texts = thousand(arbitrary);
    expect(texts).toHaveLength(COUNT);
    const admitted = texts.filter(
      (text) =>
        codeOf(text) !== 'TEXT_REFUSED' ||
        codeOf({ accountId: text }) !== 'TEXT_REFUSED' ||
        codeOf([[text]]) !== 'TEXT_REFUSED' ||
        codeOf({ [text]: 1 }) !== 'TEXT_REFUSED',
    );
    expect(admitted).toEqual([]);
  });
});

/**
 * The grammar cannot tell these from our own, and need not: each says nothing but itself. A UUID of version 7
 * and a hash are opaque; an instant names a moment; a word of the closed list is public in this repository.
 * No code path puts a caller's name where an id of ours belongs: ids are taken from rows.
 */
test.each([
  '0199b2f0-7a10-7cc2-a5d6-0123456789ab',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  '2026-05-01T10:00:00Z',
  'circuit_open',
  'ok=1',
])('a session id of the very shape of our own tokens is admitted: %s', (text) => {
  expect(codeOf(text)).toBe('admitted');
});

test('a UUID of another version is admitted only where a page of rows ended', () => {
  const random = 'c71d1422-4562-4297-801d-6e86f3cb6739';
  expect(codeOf({ rows: 200, nextAfterId: random })).toBe('admitted');
  for (const value of [random, [random], { accountId: random }, { runId: random }]) {
    expect(codeOf(value)).toBe('TEXT_REFUSED');
  }
  expect(codeOf({ afterId: 'general' })).toBe('TEXT_REFUSED');
});
