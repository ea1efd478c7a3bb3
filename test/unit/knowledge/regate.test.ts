import { describe, expect, test } from '@jest/globals';
import type { GatePreset } from '../../../domain/governance/presets.ts';
import { eligibleForRegate, type Waiting } from '../../../domain/governance/regate.ts';
import type { Plan } from '../../../domain/knowledge/plan.ts';
import { planProposals, planRegate } from '../../../domain/knowledge/planning.ts';
import type { Proposal, Statement } from '../../../domain/statements/statement.ts';
import { context, proposal } from './fixtures.ts';

/** What strict gates made of a proposal. */
function waiting(values: Partial<Proposal> = {}, changes: Partial<Statement> = {}): Statement {
  const { after } = planProposals([proposal(values)], [], context()).changes[0] ?? {};
  if (after === undefined) throw new Error('no statement');
  return { ...after, ...changes };
}

function regate(preset: GatePreset, ...known: readonly Statement[]): Plan {
  return planRegate(
    known.map(({ id }) => id),
    known,
    context(preset),
  );
}

const NOTHING: Plan = {
  changes: [],
  outputs: [],
  transitions: [],
  decisions: [],
  openings: [],
  closings: [],
  revised: [],
  consents: [],
  inherited: [],
};

describe('the gates, run again', () => {
  test('place the statements that the new rules place, and record it in every history', () => {
    const before = waiting();
    const plan = regate('assisted', before);
    expect(plan.changes).toHaveLength(1);
    expect(plan.changes[0]?.after).toMatchObject({
      state: 'active',
      verification: 'auto_verified',
      scopeId: before.scopeId,
      targetLevel: 'peer',
      revalidateAfter: '2026-04-01T00:00:00.000Z',
    });
    expect(plan.transitions).toMatchObject([
      { from: 'provisional', to: 'active', reason: 'gates_rerun' },
    ]);
    expect(plan.decisions.map(({ gate, decision, from }) => [gate, decision, from])).toEqual([
      ['gate_a', 'keep', 'provisional'],
      ['gate_b', 'place', 'provisional'],
    ]);
    expect(plan.closings[0]).toMatchObject({ kind: 'gate_a_b', state: 'approved' });
    expect(plan.outputs).toEqual([]);
  });

  test.each([
    ['what still waits', 'assisted', waiting({ targetLevel: 'scope' })],
    ['what strict rules would defer', 'strict', waiting()],
    ['what they would reject', 'unattended', waiting({ sensitivity: 'restricted' })],
    ['what was placed', 'strict', waiting({}, { state: 'active' })],
    ['what was rejected', 'unattended', waiting({}, { state: 'rejected' })],
    [
      'what was refused before',
      'unattended',
      waiting({}, { state: 'held', previouslyRefused: true }),
    ],
  ] as const)('leave %s as it is', (_, preset, before) => {
    expect(regate(preset, before)).toEqual(NOTHING);
  });

  test('place a scope-level proposal in its scope, and an account-level one at the root', () => {
    const scoped = waiting({ targetLevel: 'scope' }, { id: 'a', corroboration: 2 });
    const wide = waiting(
      { targetLevel: 'account', statementHash: 'tide' },
      { id: 'b', corroboration: 2 },
    );
    const after = regate('unattended', scoped, wide).changes.map((change) => change.after);
    expect(after.map(({ state, scopeId, heldScopeId }) => [state, scopeId, heldScopeId])).toEqual([
      ['active', 'team', null],
      ['active', 'root', null],
    ]);
  });

  test('open a review for a proposed statement', () => {
    const plan = regate('strict', waiting({}, { state: 'proposed' }));
    expect(plan.changes[0]?.after.state).toBe('provisional');
    expect(plan.openings).toMatchObject([{ kind: 'gate_a_b', dueHours: 168 }]);
  });

  test('place one of two equal statements for the account and leave the other to a person', () => {
    const level = { targetLevel: 'account', corroboration: 2 } as const;
    const one = waiting({}, { ...level, id: 'a', state: 'held' });
    const two = waiting({ scopeId: 'other' }, { ...level, id: 'b', state: 'held' });
    const placed = regate('unattended', one, two).changes.map(({ after }) => after.id);
    expect(placed).toEqual(['a']);
  });

  test('give the consent that the policy gives', () => {
    const personal = waiting(
      { targetLevel: 'scope', sensitivity: 'personal' },
      { corroboration: 2 },
    );
    expect(regate('unattended', personal).consents).toMatchObject([
      {
        statementId: personal.id,
        subjectPeerId: 'alice',
        targetScopeId: 'team',
        status: 'granted',
      },
    ]);
  });
});

describe('statements that the gates may decide again', () => {
  const now = '2026-01-01T00:00:00.000Z';
  const plain: Waiting = {
    id: 'k',
    wasPlaced: false,
    otherReviewOpen: false,
    consentDenied: false,
  };
  const look = (facts: Partial<Waiting> = {}, changes: Partial<Statement> = {}) =>
    eligibleForRegate([{ ...plain, ...facts }], [waiting({}, { id: 'k', ...changes })], now);

  test.each(['proposed', 'provisional', 'held'] as const)('%s statements', (state) => {
    expect(look({}, { state })).toEqual(['k']);
  });

  test.each([
    ['one that was believed before: it waits for a move', look({ wasPlaced: true })],
    ['one with another question open', look({ otherReviewOpen: true })],
    ['one whose subject said no', look({ consentDenied: true })],
    ['one that has expired', look({}, { expiresAt: now })],
    ['one that another transaction placed meanwhile', look({}, { state: 'active' })],
    ['one that is gone', eligibleForRegate([plain], [], now)],
  ])('not %s', (_, ids) => {
    expect(ids).toEqual([]);
  });
});
