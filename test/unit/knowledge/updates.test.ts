import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SENSITIVITIES } from '../../../domain/statements/candidate.ts';
import type { GatePreset } from '../../../domain/governance/presets.ts';
import { withSources } from '../../../domain/statements/attestation.ts';
import { planProposals } from '../../../domain/knowledge/planning.ts';
import type { Proposal, Statement } from '../../../domain/statements/statement.ts';
import { readTimeline, withoutUpdate } from '../../../domain/knowledge/updates.ts';
import { context, source } from './fixtures.ts';
import { day, essence, said, sequentially, type Said } from './sayings.ts';
import { sized } from '../../support/run.ts';

const talk = fc
  .array(
    fc.record({
      value: fc.constantFrom('bergen', 'oslo', 'rome', 'paris'),
      mode: fc.constantFrom('holds', 'holds', 'holds', 'ended', 'corrects'),
      about: fc.constantFrom('residence', 'residence', 'employer'),
      day: fc.integer({ min: 1, max: 9 }),
      from: fc.option(fc.integer({ min: 1, max: 5 })),
      length: fc.option(fc.integer({ min: 1, max: 4 })),
      speaker: fc.constantFrom('alice', 'alice', 'bob', 'carol'),
      relay: fc.constantFrom('agent', 'other'),
      scopeId: fc.constantFrom('team', 'team', 'team', 'other'),
      loud: fc.boolean(),
    }),
    { maxLength: 10 },
  )
  .map((drawn) =>
    drawn.map(({ length, loud, ...each }, n) => {
      const from = each.from ?? null;
      const until = length === null ? null : (from ?? each.day) + length;
      // A text has one sensitivity for all speakers: differing ones conflict, and are ordered by arrival.
      const secret = each.value === 'paris' ? ('personal' as const) : ('internal' as const);
      const level = each.value === 'rome' ? ('scope' as const) : ('peer' as const);
      const spoken = said({
        ...each,
        n,
        from,
        until,
        values: { sensitivity: secret, targetLevel: level },
      });
      const text = loud ? each.value.toUpperCase() : each.value;
      return { ...spoken, wording: { ...spoken.wording, text } };
    }),
  );

const shuffled = talk.chain((drawn) =>
  fc.tuple(fc.constant(drawn), fc.shuffledSubarray(drawn, { minLength: drawn.length })),
);

describe.each(['strict', 'assisted'] satisfies GatePreset[])('under %s', (preset) => {
  test('the same messages end in the same statements, in any order and any batches', () => {
    fc.assert(
      fc.property(shuffled, ([drawn, other]) => {
        const together = planProposals(drawn, [], context(preset)).changes.map(
          ({ after }) => after,
        );
        expect(essence(sequentially(other, context(preset)))).toEqual(essence(together));
      }),
      { numRuns: sized({ short: 200, long: 1_000 }) },
    );
  });

  test('a replay changes nothing, and nothing is ever deleted', () => {
    fc.assert(
      fc.property(shuffled, ([drawn, other]) => {
        const shared = context(preset);
        const once = sequentially(drawn, shared);
        const again = planProposals(other, once, shared);
        expect(again.changes).toEqual([]);
        expect(again.transitions).toEqual([]);
        expect([...again.openings, ...again.closings]).toEqual([]);
        const texts = new Set(drawn.map(({ statementHash }) => statementHash));
        expect(new Set(once.map(({ statementHash }) => statementHash))).toEqual(texts);
        expect(once.flatMap(({ attestation }) => attestation.added).length).toBe(drawn.length);
      }),
      { numRuns: sized({ short: 60, long: 300 }) },
    );
  });

  test('every window that an update closes was open before, and ends when the newer one starts', () => {
    fc.assert(
      fc.property(talk, (drawn) => {
        const rows = sequentially(drawn, context(preset));
        const byId = new Map(rows.map((row) => [row.id, row]));
        for (const { state, update, wording } of rows) {
          if (update === null) continue;
          const newer = byId.get(update.byId);
          expect(state).toBe(update.ends === null ? 'superseded' : update.stateBefore);
          expect(newer?.wording.claim?.about).toBe(wording.claim?.about);
          if (update.ends === null) continue;
          expect(newer?.wording.relevantFrom).toEqual(update.ends);
          expect((wording.relevantFrom?.at ?? '') < update.ends.at).toBe(true);
          expect(update.ends.at < (wording.relevantUntil?.at ?? 'Z')).toBe(true);
        }
      }),
      { numRuns: sized({ short: 60, long: 300 }) },
    );
  });
});

/** The rows of these sayings, as one batch of commits leaves them, by value. */
function rowsOf(preset: GatePreset, ...sayings: readonly Said[]) {
  const rows = sequentially(sayings.map(said), context(preset));
  return (value: string): Statement => {
    const row = rows.find(({ wording }) => wording.text === value);
    if (row === undefined) throw new Error('no such statement');
    return row;
  };
}

const fate = (statement: Statement): string =>
  statement.update?.ends?.at.slice(0, 10) ?? (statement.update === null ? 'stands' : 'superseded');

describe('the newer of two statements', () => {
  test('is the one that starts later, whenever it was said', () => {
    const row = rowsOf(
      'strict',
      { n: 1, value: 'oslo', day: 2, from: 20 },
      { n: 2, value: 'bergen', day: 9, from: 10 },
    );
    expect([fate(row('oslo')), fate(row('bergen'))]).toEqual(['stands', '2024-01-20']);
  });

  test('is the one that was said later, when one of them has no start', () => {
    const row = rowsOf(
      'strict',
      { n: 1, value: 'bergen', day: 8 },
      { n: 2, value: 'oslo', day: 9, from: 3 },
    );
    expect([fate(row('oslo')), fate(row('bergen'))]).toEqual(['stands', '2024-01-03']);
  });

  test('is decided by the content hash when both times are equal', () => {
    const row = rowsOf(
      'strict',
      { n: 2, value: 'oslo', day: 1 },
      { n: 1, value: 'bergen', day: 1 },
    );
    expect([fate(row('oslo')), fate(row('bergen'))]).toEqual(['stands', 'superseded']);
  });

  test('is defined by one total order, also where dated and undated ones would form a cycle', () => {
    const row = rowsOf(
      'strict',
      { n: 1, value: 'oslo', day: 3, from: 5 },
      { n: 2, value: 'rome', day: 6 },
      { n: 3, value: 'bergen', day: 9, from: 1 },
    );
    expect([fate(row('bergen')), fate(row('oslo')), fate(row('rome'))]).toEqual([
      '2024-01-05',
      'superseded',
      'stands',
    ]);
  });

  test('ends the older at the known start, when two messages say it and one has a date', () => {
    const row = rowsOf(
      'strict',
      { n: 1, value: 'bergen', day: 1 },
      { n: 2, value: 'oslo', day: 4 },
      { n: 3, value: 'oslo', day: 6, from: 2 },
    );
    expect(fate(row('bergen'))).toBe('2024-01-02');
  });

  test('supersedes the older one entirely when both have the same start', () => {
    const row = rowsOf(
      'strict',
      { n: 1, value: 'bergen', day: 1, from: 1 },
      { n: 2, value: 'oslo', day: 2, from: 1 },
    );
    expect(fate(row('bergen'))).toBe('superseded');
    expect(row('oslo').supersedesId).toBe(row('bergen').id);
  });

  test('does not change one whose window ended before', () => {
    const row = rowsOf(
      'strict',
      { n: 1, value: 'bergen', day: 1, from: 1, until: 3 },
      { n: 2, value: 'oslo', day: 5, from: 4 },
      { n: 3, value: 'rome', day: 6 },
    );
    expect(fate(row('bergen'))).toBe('stands');
  });

  test('ends the older one earlier than its own end', () => {
    const row = rowsOf(
      'strict',
      { n: 1, value: 'bergen', day: 1, from: 1, until: 30 },
      { n: 2, value: 'oslo', day: 5, from: 4 },
    );
    expect(fate(row('bergen'))).toBe('2024-01-04');
    expect(row('bergen').wording.relevantUntil?.at).toBe(day(30));
  });

  test('that tells of an end ends only the value that it names', () => {
    const row = rowsOf(
      'strict',
      { n: 1, value: 'acme', day: 1, about: 'employer' },
      { n: 2, value: 'globex', day: 3, mode: 'ended', from: 2, about: 'employer' },
    );
    expect(fate(row('acme'))).toBe('stands');
  });

  test('does not change when another speaker repeats the older one', () => {
    const row = rowsOf(
      'assisted',
      { n: 1, value: 'bergen', day: 1 },
      { n: 2, value: 'oslo', day: 3 },
      { n: 3, value: 'bergen', day: 8, speaker: 'bob' },
    );
    expect(row('bergen')).toMatchObject({ state: 'superseded', corroboration: 2 });
    expect(row('oslo').state).toBe('active');
  });
});

/** What assisted gates make of the proposal. */
function one(only: Proposal): Statement {
  const [statement] = sequentially([only], context('assisted'));
  if (statement === undefined) throw new Error('no statement');
  return statement;
}

describe('a statement of higher standing', () => {
  const older = said({ n: 1, value: 'bergen', day: 1 });
  const placed: Statement = { ...one(older), id: 'older' };
  const newer = (values: Partial<Statement>): Statement => ({
    ...one(said({ n: 2, value: 'oslo', day: 2 })),
    id: 'newer',
    ...values,
  });
  const read = (before: Statement, after: Statement) => {
    const { updates, conflicts } = readTimeline([before, after].map(withoutUpdate), context());
    return updates.size > 0 ? 'updated' : conflicts.size > 0 ? 'conflict' : 'neither';
  };

  test('is not updated by one with less evidence, a narrower place or a narrower audience', () => {
    expect(read(placed, newer({}))).toBe('updated');
    expect(read(placed, newer({ state: 'provisional' }))).toBe('conflict');
    expect(read(placed, newer({ evidenceLevel: 'indirect' }))).toBe('conflict');
    expect(read({ ...placed, targetLevel: 'scope' }, newer({}))).toBe('conflict');
    expect(read({ ...placed, targetLevel: 'scope' }, newer({ targetLevel: 'account' }))).toBe(
      'updated',
    );
    for (const [n, sensitivity] of SENSITIVITIES.entries()) {
      const others = SENSITIVITIES.map((each) =>
        read({ ...placed, sensitivity: each }, newer({ sensitivity })),
      );
      expect(others).toEqual(SENSITIVITIES.map((_each, m) => (m < n ? 'conflict' : 'updated')));
    }
  });

  test('is updated by a statement that a person placed', () => {
    const approved = newer({ evidenceLevel: 'indirect', verification: 'curator_approved' });
    expect(read(placed, approved)).toBe('updated');
  });

  test('is one of a scope above; statements of unrelated scopes do not affect each other', () => {
    expect(read({ ...placed, scopeId: 'root' }, newer({ scopeId: 'team' }))).toBe('conflict');
    expect(read({ ...placed, scopeId: 'team' }, newer({ scopeId: 'root' }))).toBe('updated');
    expect(read({ ...placed, scopeId: 'other' }, newer({ scopeId: 'team' }))).toBe('neither');
  });

  test('is not changed by the older words of another speaker while both are provisional', () => {
    const row = rowsOf(
      'strict',
      { n: 1, value: 'bergen', day: 1, speaker: 'bob' },
      { n: 2, value: 'oslo', day: 2, speaker: 'bob' },
      { n: 3, value: 'bergen', day: 3 },
    );
    // Said by both, and last by Alice: it is her word, and Bob's own stays as he left it.
    expect([fate(row('bergen')), fate(row('oslo'))]).toEqual(['stands', 'stands']);
  });

  test('is not ended by a private statement that one of its readers may not read', () => {
    const secret = newer({ sensitivity: 'personal' });
    const shared = {
      ...placed,
      sensitivity: 'personal' as const,
      attestation: withSources(placed.attestation, [
        source({ messageId: 'm3', speakerId: 'bob', relayId: 'bot' }),
      ]),
    };
    expect(read({ ...placed, sensitivity: 'personal' }, secret)).toBe('updated');
    expect(read(shared, secret)).toBe('neither');
  });
});

describe('a statement that a newer one supersedes', () => {
  const late = { n: 1, value: 'bergen', day: 1 };
  const newer = said({ n: 2, value: 'oslo', day: 2 });

  test('asks nobody about itself, though it came later', () => {
    const shared = context();
    const known = planProposals([newer], [], shared).changes.map(({ after }) => after);
    const { changes, openings } = planProposals([said(late)], known, shared);
    expect(changes.find(({ before }) => before === null)?.after.state).toBe('superseded');
    expect(openings).toEqual([]);
  });

  test('asks nobody about what it contradicts', () => {
    const shared = context();
    const older = { ...said({ n: 3, value: 'rome', day: 0 }), targetLevel: 'scope' as const };
    const placed = planProposals([older], [], shared).changes.map(({ after }): Statement => ({
      ...after,
      state: 'active',
      heldScopeId: null,
    }));
    const asked = planProposals([said(late)], placed, shared);
    expect(asked.openings.map(({ kind }) => kind).toSorted()).toEqual(['conflict', 'gate_a_b']);
    const both = [...placed, ...asked.changes.map(({ after }) => after)];
    const { closings } = planProposals([newer], both, shared);
    expect(closings).toContainEqual(
      expect.objectContaining({ kind: 'conflict', reason: 'contradiction_ended' }),
    );
  });
});
