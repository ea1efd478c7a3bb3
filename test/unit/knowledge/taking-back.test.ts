/** What becomes of a statement whose attester takes back what it said, in each state. */
import { describe, expect, test } from '@jest/globals';
import { SPEAKER_TABLE } from '../../../domain/governance/desk.ts';
import { planProposals, planTakingBack } from '../../../domain/knowledge/planning.ts';
import { KNOWLEDGE_STATES, type KnowledgeState } from '../../../domain/statements/states.ts';
import type { Statement } from '../../../domain/statements/statement.ts';
import { context, proposal } from './fixtures.ts';

const ANA = { peerId: 'ana', channel: 'api' } as const;

function statement(values: Partial<Statement> = {}): Statement {
  const [change] = planProposals([proposal()], [], context()).changes;
  if (change === undefined) throw new Error('a proposal makes a statement');
  const before = values.state === 'contested' ? ({ stateBeforeContest: 'active' } as const) : {};
  return { ...change.after, ...before, ...values };
}

const takenBack = (about: Statement) => planTakingBack(about.id, [about], context(), ANA);
const afterOf = (about: Statement): Statement | undefined =>
  takenBack(about)?.changes.find(({ after }) => after.id === about.id)?.after;

describe('the only one who says it takes it back', () => {
  const WITHHELD = 'held, withheld';
  /** Every state has its cell. */
  const CELLS: Readonly<Record<KnowledgeState, string>> = {
    proposed: WITHHELD,
    provisional: WITHHELD,
    held: WITHHELD,
    active: WITHHELD,
    needs_revalidation: WITHHELD,
    stale: WITHHELD,
    contested: 'contested, withheld',
    superseded: 'refused',
    expired: 'refused',
    rejected: 'refused',
    redacted: 'refused',
    retracted: 'refused',
  };

  test.each(Object.entries(CELLS))('%s becomes: %s', (state, becomes) => {
    const after = afterOf(statement({ state: state as KnowledgeState, corroboration: 1 }));
    const shown =
      after === undefined ? 'refused' : `${after.state}${after.isWithheld ? ', withheld' : ''}`;
    expect(shown).toBe(becomes);
    expect(after?.corroboration ?? 0).toBe(0);
  });

  test('the table of states has no other state', () => {
    const refused = KNOWLEDGE_STATES.filter((state) => CELLS[state] === 'refused');
    expect(refused.filter((state) => SPEAKER_TABLE[state] !== undefined)).toEqual([]);
  });

  test('a curator is asked, and nothing else asks any more', () => {
    const waiting = statement({ state: 'held', corroboration: 1 });
    const plan = takenBack(waiting);
    expect(plan?.openings).toEqual([
      expect.objectContaining({ kind: 'revalidation', reason: 'withdrawn_by_speaker' }),
    ]);
    expect(plan?.closings).toEqual([expect.objectContaining({ kind: 'gate_a_b' })]);
    const placed = takenBack(statement({ state: 'active', corroboration: 1 }));
    expect(placed?.openings).toEqual([
      expect.objectContaining({ kind: 'revalidation', reason: 'withdrawn_by_speaker' }),
    ]);
    expect(placed?.transitions).toEqual([
      expect.objectContaining({ from: 'active', to: 'held', reason: 'withdrawn_by_speaker' }),
    ]);
  });

  test('what a curator withholds already is asked about once', () => {
    const withheld = statement({ state: 'held', isWithheld: true, corroboration: 1 });
    const plan = takenBack(withheld);
    expect(plan?.openings).toEqual([]);
    expect(afterOf(withheld)).toMatchObject({ state: 'held', isWithheld: true, corroboration: 0 });
  });

  test('what has passed its end stays ended', () => {
    const over = statement({
      state: 'active',
      corroboration: 1,
      expiresAt: '2000-01-01T00:00:00.000Z',
    });
    expect(takenBack(over)).toBeNull();
  });
});

describe('one of several takes it back', () => {
  test.each(['provisional', 'active', 'stale', 'held'] as const)(
    'and %s stays what it is',
    (state) => {
      const about = statement({ state, corroboration: 3, verification: 'curator_approved' });
      const plan = takenBack(about);
      expect(afterOf(about)).toMatchObject({ state, isWithheld: false, corroboration: 2 });
      expect([plan?.openings, plan?.transitions]).toEqual([[], []]);
    },
  );
});
