/** What is said to some changes nothing of what more people read. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { containsAudience, type NamedAudience } from '../../../domain/audiences/principals.ts';
import type { GatePreset } from '../../../domain/governance/presets.ts';
import { planProposals } from '../../../domain/knowledge/planning.ts';
import type { Proposal, Statement } from '../../../domain/statements/statement.ts';
import { sized } from '../../support/run.ts';
import { context } from './fixtures.ts';
import { day, essence, said, sequentially } from './sayings.ts';

const ALL = null;
const BO: NamedAudience = { id: 'to bo', principals: ['bo'] };
const BO_AND_CLEO: NamedAudience = { id: 'to bo and cleo', principals: ['bo', 'cleo'] };
const TEAM: NamedAudience = { id: 'to the team', principals: ['team circle'] };
const AUDIENCES = [ALL, BO, BO_AND_CLEO, TEAM];

const talk = fc
  .array(
    fc.record({
      audience: fc.constantFrom(...AUDIENCES),
      value: fc.constantFrom('bergen', 'oslo', 'rome'),
      mode: fc.constantFrom('holds', 'holds', 'holds', 'ended', 'corrects'),
      on: fc.integer({ min: 1, max: 9 }),
      from: fc.option(fc.integer({ min: 1, max: 5 })),
      speaker: fc.constantFrom('alice', 'alice', 'bob'),
      level: fc.constantFrom('peer', 'scope'),
    }),
    { maxLength: 10 },
  )
  .map((drawn) =>
    drawn.map(({ audience, level, on, ...each }, n): Proposal =>
      said({
        ...each,
        n,
        day: on,
        values: { audience, targetLevel: audience === null ? level : 'peer' },
      }),
    ),
  );

const isFor =
  (audience: NamedAudience | null) =>
  (one: Pick<Statement, 'audience'>): boolean =>
    one.audience?.id === audience?.id;

describe.each(['strict', 'assisted', 'unattended'] satisfies GatePreset[])('under %s', (preset) => {
  test.each(AUDIENCES.map((audience) => [audience?.id ?? 'to all', audience] as const))(
    'statements %s are as if nothing had been said to fewer, or to others',
    (_name, audience) => {
      fc.assert(
        fc.property(talk, (drawn) => {
          const known = drawn.filter((one) => containsAudience(one.audience, audience));
          const among = sequentially(drawn, context(preset)).filter(isFor(audience));
          const alone = sequentially(known, context(preset)).filter(isFor(audience));
          expect(essence(among)).toEqual(essence(alone));
        }),
        { numRuns: sized({ short: 150, long: 1_500 }) },
      );
    },
  );

  test('a statement is ended by one that everybody whom it is for may read', () => {
    fc.assert(
      fc.property(talk, (drawn) => {
        const rows = sequentially(drawn, context(preset));
        const byId = new Map(rows.map((row) => [row.id, row]));
        for (const { audience, update } of rows) {
          const newer = update === null ? undefined : byId.get(update.byId);
          if (newer !== undefined) expect(containsAudience(newer.audience, audience)).toBe(true);
        }
      }),
      { numRuns: sized({ short: 100, long: 1_000 }) },
    );
  });

  test('a contradiction that a person has to decide is between statements for the same people', () => {
    fc.assert(
      fc.property(talk, (drawn) => {
        const { changes, openings } = planProposals(drawn, [], context(preset));
        const byId = new Map(changes.map(({ after }) => [after.id, after.audience?.id]));
        for (const { conflictId, statementId } of openings) {
          if (conflictId !== null) expect(byId.get(conflictId)).toBe(byId.get(statementId));
        }
      }),
      { numRuns: sized({ short: 100, long: 1_000 }) },
    );
  });
});

describe('what was refused', () => {
  const refusedTo = (audience: NamedAudience | null): Statement => {
    const plan = planProposals(
      [said({ n: 1, value: 'oslo', day: 1, values: { audience } })],
      [],
      context(),
    );
    const [change] = plan.changes;
    if (change === undefined) throw new Error('it is kept');
    return { ...change.after, state: 'redacted' };
  };
  const again = (audience: NamedAudience | null, refused: NamedAudience | null): boolean => {
    const proposal = said({ n: 2, value: 'oslo', day: 2, values: { audience } });
    const { changes } = planProposals([proposal], [refusedTo(refused)], context());
    return changes.some(({ after }) => after.previouslyRefused);
  };

  test.each([
    [ALL, ALL, true],
    [BO, ALL, true],
    [BO, BO, true],
    [BO, BO_AND_CLEO, true],
    [ALL, BO, false],
    [BO_AND_CLEO, BO, false],
    [TEAM, BO, false],
  ])('binds %j when it was refused to %j: %s', (audience, refused, isBound) => {
    expect(again(audience, refused)).toBe(isBound);
  });
});

test.each([
  { to: 'all', audience: ALL, first: 'alice', isEnded: true },
  { to: 'all', audience: ALL, first: 'bob', isEnded: true },
  { to: 'bo', audience: BO, first: 'alice', isEnded: true },
  { to: 'bo', audience: BO, first: 'bob', isEnded: false },
])('said to $to by alice, it ends what $first said before: $isEnded', (each) => {
  const { audience, first, isEnded } = each;
  // Who belongs to an audience may change, so whoever said the older one may not read the newer one.
  const values = { audience };
  const rows = sequentially(
    [
      said({ n: 1, value: 'oslo', day: 1, speaker: first, values }),
      said({ n: 2, value: 'rome', day: 2, speaker: 'alice', values }),
    ],
    context('unattended'),
  );
  expect(rows.some(({ update }) => update !== null)).toBe(isEnded);
});

test('a shared statement and one for some may say the same at the same place', () => {
  const words = { value: 'oslo', day: 1 };
  const rows = sequentially(
    AUDIENCES.map((audience, n) => said({ ...words, n, values: { audience } })),
    context('assisted'),
  );
  expect(rows.map(({ corroboration, state }) => [state, corroboration])).toEqual(
    AUDIENCES.map(() => ['active', 1]),
  );
  expect(rows.map(({ wording }) => wording.occurredAt)).toEqual(AUDIENCES.map(() => day(1)));
});
