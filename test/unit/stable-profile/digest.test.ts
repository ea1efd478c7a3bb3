/** The digest of a profile changes exactly when an item does. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ProfileStatement } from '../../../domain/stable-profile/eligible.ts';
import { buildProfile } from '../../../domain/stable-profile/profile.ts';
import { showProfile } from '../../../engine/retrieval/stable-profile.ts';
import { profileView } from '../../../operations/retrieval/stable-profile.ts';
import { AT, said } from './statements.ts';

const ADA = 'ada';
const LATER = '2026-06-02T12:00:00.000Z';

const TEXTS = [
  'Ada lives in Bergen.',
  'Ada lives in Oslo.',
  'Ada is a nurse.',
  'Ada works at Acme.',
  'Ada speaks French.',
  'Ada speaks Thai.',
  'Ada is called Adele.',
  "Ada's pronouns are she/her.",
  'Ada likes tea.',
  'Ada is tired.',
  'Ada owns a red kayak.',
  'Ada was diagnosed with diabetes.',
] as const;

/** The statements that may be there, each with what may change about it. */
const SAID = TEXTS.map((text) => said(text));
const changes = fc.array(
  fc.record({
    at: fc.nat({ max: TEXTS.length - 1 }),
    confidence: fc.constantFrom(1, 0.8),
    sourceCount: fc.constantFrom(1, 2, 12),
    sources: fc.constantFrom(0, 1, 2),
    relevantUntil: fc.constantFrom(null, '2026-06-02T00:00:00.000Z', '2026-05-01T00:00:00.000Z'),
    kind: fc.constantFrom('fact' as const, 'preference' as const),
  }),
  { maxLength: 14 },
);
type Change = (typeof changes extends fc.Arbitrary<infer List> ? List : never) extends (infer One)[]
  ? One
  : never;
const madeOf = ({ at, sources, ...values }: Change): ProfileStatement => ({
  ...(SAID[at] ?? said('Ada is tired.')),
  ...values,
  sourceMessageIds: ['m-1', 'm-2'].slice(0, sources),
});
const byId = (statements: readonly ProfileStatement[]) => [
  ...new Map(statements.map((one) => [one.id, one])).values(),
];
/** Two sets of statements that have much in common. */
const pairs = fc.tuple(changes, changes, fc.nat({ max: 3 })).map(([some, others, more]) => {
  const first = byId(some.map(madeOf));
  return [first, byId([...first, ...others.slice(0, more).map(madeOf)])] as const;
});

/** Items and digest as a caller sees them. */
const seen = (statements: readonly ProfileStatement[], at: string) =>
  profileView(showProfile(buildProfile(statements, at), ADA));

test('two profiles have one digest if, and only if, they have the same items', () => {
  let [same, different] = [0, 0];
  fc.assert(
    fc.property(pairs, fc.constantFrom(AT, LATER), ([before, after], at) => {
      const [one, other] = [seen(before, AT), seen(after.toReversed(), at)];
      const isSame = JSON.stringify(one.items) === JSON.stringify(other.items);
      const hasOneDigest = one.projection_digest === other.projection_digest;
      expect([hasOneDigest, before, after]).toEqual([isSame, before, after]);
      if (isSame) same += 1;
      else different += 1;
    }),
    { numRuns: 1_000 },
  );
  expect(Math.min(same, different)).toBeGreaterThan(100);
});

test.each([
  ['no item keeps', 'Ada likes tea.', true],
  ['a new item changes', 'Ada is a nurse.', false],
  ['a contradiction changes', 'Ada lives in Oslo.', false],
] as const)('a statement that makes %s the digest', (_, text, isSame) => {
  const lives = said('Ada lives in Bergen.');
  const [before, after] = [seen([lives], AT), seen([lives, said(text)], AT)];
  expect(after.projection_digest === before.projection_digest).toBe(isSame);
});

test('contradicting items share a group of their person, and no other item has one', () => {
  const statements = ['Ada lives in Bergen.', 'Ada lives in Oslo.', 'Ada is a nurse.'].map((text) =>
    said(text),
  );
  const groups = showProfile(buildProfile(statements, AT), ADA).items.map(
    ({ category, conflictGroup }) => [category, conflictGroup],
  );
  const group = expect.stringMatching(/^[0-9a-f]{16}$/);
  expect(groups).toEqual([
    ['occupation', null],
    ['location', group],
    ['location', group],
  ]);
  const [, one, other] = groups;
  expect(one).toEqual(other);
});
