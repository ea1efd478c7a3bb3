/** The tables of legal states: what a ruling makes of a statement in each state. */
import { describe, expect, test } from '@jest/globals';
import { ITEM_KINDS } from '../../../domain/governance/items.ts';
import { KNOWLEDGE_STATES, type KnowledgeState } from '../../../domain/statements/states.ts';
import { planProposals, planRuling } from '../../../domain/knowledge/planning.ts';
import {
  stateOf,
  type OpenItem,
  type RulingContext,
  type Ruling,
} from '../../../domain/knowledge/ruling.ts';
import type { Statement } from '../../../domain/statements/statement.ts';
import { context, proposal } from './fixtures.ts';

const NOW = context().now;
const CURATOR = { peerId: 'cura', channel: 'api' } as const;

function statement(values: Partial<Statement> = {}): Statement {
  const [change] = planProposals([proposal()], [], context()).changes;
  if (change === undefined) throw new Error('a proposal makes a statement');
  const before = values.state === 'contested' ? ({ stateBeforeContest: 'active' } as const) : {};
  return { ...change.after, ...before, ...values };
}

const say = (
  ruling: Ruling,
  about: Statement,
  consents: RulingContext['consents'] = new Map(),
  others: readonly Statement[] = [],
) => planRuling(about.id, ruling, [about, ...others], { ...context(), consents }, CURATOR);

const stateAfter = (ruling: Ruling, about: Statement): string => {
  const { plan, result } = say(ruling, about);
  return result.outcome === 'ruled'
    ? result.after.state
    : `${result.outcome} ${plan.changes.length}`;
};

const item = (values: Partial<OpenItem> = {}): OpenItem => ({
  id: 'i1',
  kind: 'gate_a_b',
  conflictId: null,
  targetScopeId: null,
  targetLevel: 'peer',
  proposedSensitivity: null,
  ...values,
});

const no = 'refused 0';
/** Every state must have its cell. */
type Row = Readonly<Record<KnowledgeState, string>>;
const REFUSING = {
  superseded: no,
  expired: no,
  rejected: no,
  redacted: no,
  retracted: no,
} as const;

const SUBJECT: Readonly<Record<'confirm' | 'contest' | 'redact', Row>> = {
  confirm: {
    ...REFUSING,
    proposed: no,
    provisional: 'active',
    held: 'active',
    active: 'active',
    needs_revalidation: 'active',
    stale: 'active',
    contested: 'active',
  },
  contest: {
    ...REFUSING,
    proposed: 'contested',
    provisional: 'contested',
    held: 'contested',
    active: 'contested',
    needs_revalidation: 'contested',
    stale: 'contested',
    contested: 'same 0',
  },
  redact: {
    proposed: 'redacted',
    provisional: 'redacted',
    held: 'redacted',
    active: 'redacted',
    needs_revalidation: 'redacted',
    stale: 'redacted',
    contested: 'redacted',
    superseded: 'redacted',
    expired: 'redacted',
    rejected: 'redacted',
    redacted: 'same 0',
    retracted: 'redacted',
  },
};

const UNPLACED = (state: string): Row => ({
  ...REFUSING,
  proposed: state,
  provisional: state,
  held: state,
  active: no,
  needs_revalidation: no,
  stale: no,
  contested: no,
});
const ONLY = (states: Partial<Row>): Row => ({ ...UNPLACED(no), ...states });

/** The last one is the conflict over a stricter sensitivity. */
const ITEMS: Readonly<Record<string, { readonly approve: Row; readonly reject: Row }>> = {
  gate_a_b: { approve: UNPLACED('active'), reject: UNPLACED('rejected') },
  gate_b: { approve: ONLY({ active: 'active' }), reject: ONLY({ active: 'active' }) },
  revalidation: {
    approve: ONLY({ active: 'active', needs_revalidation: 'active', stale: 'active' }),
    reject: ONLY({ active: 'rejected', needs_revalidation: 'rejected', stale: 'rejected' }),
  },
  contest: { approve: ONLY({ contested: 'active' }), reject: ONLY({ contested: 'rejected' }) },
  conflict: {
    approve: {
      ...UNPLACED('active'),
      active: 'active',
      needs_revalidation: 'needs_revalidation',
      stale: 'stale',
    },
    reject: {
      ...UNPLACED('rejected'),
      active: 'rejected',
      needs_revalidation: 'rejected',
      stale: 'rejected',
    },
  },
  sensitivity: {
    approve: ONLY({ active: 'active', needs_revalidation: 'needs_revalidation', stale: 'stale' }),
    reject: ONLY({ active: 'active', needs_revalidation: 'needs_revalidation', stale: 'stale' }),
  },
};

const itemOf = (question: string): OpenItem => {
  if (question === 'sensitivity')
    return item({ kind: 'conflict', proposedSensitivity: 'personal' });
  if (question === 'conflict') return item({ kind: 'conflict', conflictId: 'k9' });
  if (question === 'gate_b') {
    return item({ kind: 'gate_b', targetScopeId: 'root', targetLevel: 'account' });
  }
  const kind = ITEM_KINDS.find((each) => each === question);
  if (kind === undefined) throw new Error(`no kind ${question}`);
  return item({ kind });
};

const rulingOf = (action: string): Ruling => {
  if (action === 'confirm') return { action, expiresAt: null };
  return { action: action === 'contest' ? 'contest' : 'redact' };
};

describe('the ruling of the subject', () => {
  const cells = Object.entries(SUBJECT).flatMap(([action, row]) =>
    KNOWLEDGE_STATES.map((state) => [action, state, row[state]] as const),
  );
  test.each(cells)('%s of a statement that is %s gives %s', (action, state, after) => {
    expect(stateAfter(rulingOf(action), statement({ state }))).toBe(after);
  });

  test('confirms no statement that waits for a wider place', () => {
    const held = statement({ state: 'held', targetLevel: 'scope' });
    expect(stateAfter(rulingOf('confirm'), held)).toBe(no);
  });

  test('confirms and contests no statement whose time is over, whatever state is stored', () => {
    const over = statement({ state: 'active', expiresAt: NOW });
    expect([stateAfter(rulingOf('confirm'), over), stateAfter(rulingOf('contest'), over)]).toEqual([
      no,
      no,
    ]);
    expect(stateAfter(rulingOf('redact'), over)).toBe('redacted');
  });

  test('a contested statement waits for its answer, though its time is over', () => {
    const contested = statement({ state: 'contested', expiresAt: NOW });
    expect(stateOf(contested, NOW)).toBe('contested');
    expect(stateOf({ ...contested, state: 'active' }, NOW)).toBe('expired');
  });

  test.each(['proposed', 'provisional', 'held', 'active', 'needs_revalidation', 'stale'] as const)(
    'contested and confirmed again, a %s statement is as it was before',
    (state) => {
      const before = statement({
        state,
        targetLevel: state === 'held' ? 'scope' : 'peer',
        heldScopeId: state === 'held' ? 'team' : null,
      });
      const contested = say(rulingOf('contest'), before).plan.changes[0]?.after;
      if (contested === undefined) throw new Error('not contested');
      expect(contested).toMatchObject({ state: 'contested', stateBeforeContest: state });
      expect(say(rulingOf('confirm'), contested).plan.changes[0]?.after).toMatchObject({
        state,
        stateBeforeContest: null,
        heldScopeId: before.heldScopeId,
      });
    },
  );

  test('asks a curator about a contest, with 24 hours, and closes what was asked before', () => {
    const { plan } = say(rulingOf('contest'), statement());
    expect(plan.openings).toMatchObject([
      { kind: 'contest', reason: 'subject_contested', dueHours: 24 },
    ]);
    expect(plan.closings).toMatchObject([{ kind: null, except: ['contest'], state: 'closed' }]);
    expect(plan.decisions).toEqual([]);
  });

  test('confirms with full confidence, a decision and a new date of revalidation', () => {
    const { plan } = say(rulingOf('confirm'), statement({ confidence: 0.6 }));
    expect(plan.changes[0]?.after).toMatchObject({
      confidence: 1,
      verification: 'subject_confirmed',
      targetLevel: 'peer',
      revalidateAfter: '2026-04-01T00:00:00.000Z',
    });
    expect(plan.decisions).toMatchObject([
      { decision: 'approve', reason: 'subject_confirmed', from: 'provisional', to: 'active' },
    ]);
  });
});

describe('the decision about an item', () => {
  const cells = Object.entries(ITEMS).flatMap(([question, rows]) =>
    (['approve', 'reject'] as const).flatMap((action) =>
      KNOWLEDGE_STATES.map((state) => [action, question, state, rows[action][state]] as const),
    ),
  );
  test.each(cells)(
    '%s of %s while the statement is %s gives %s',
    (action, question, state, after) => {
      const ruling: Ruling =
        action === 'approve'
          ? { action, item: itemOf(question), expiresAt: null }
          : { action, item: itemOf(question) };
      expect(stateAfter(ruling, statement({ state }))).toBe(after);
    },
  );

  test('that approves a promotion moves the statement, and its level, and nothing before that', () => {
    const approve: Ruling = { action: 'approve', item: itemOf('gate_b'), expiresAt: null };
    const { plan } = say(approve, statement({ state: 'active' }));
    expect(plan.changes[0]?.after).toMatchObject({ scopeId: 'root', targetLevel: 'account' });
    expect(plan.decisions).toMatchObject([
      { gate: 'gate_b', fromLevel: 'peer', toLevel: 'account', itemId: 'i1' },
    ]);
    expect(plan.transitions).toEqual([]);
  });

  test('that places a personal statement wider waits for the consent of its subject', () => {
    const approve: Ruling = { action: 'approve', item: item(), expiresAt: null };
    const personal = statement({ state: 'held', sensitivity: 'personal', targetLevel: 'scope' });
    const { plan, result } = say(approve, personal);
    expect(result).toEqual({ outcome: 'awaits_consent', targetScopeId: 'team' });
    expect(plan.changes).toEqual([]);
    expect(plan.consents).toMatchObject([{ targetScopeId: 'team', status: 'pending' }]);
    expect(plan.decisions).toMatchObject([{ decision: 'await_consent' }]);
    const granted = new Map([['team', 'granted' as const]]);
    expect(say(approve, personal, granted).result).toMatchObject({ outcome: 'ruled' });
    const denied = new Map([['team', 'denied' as const]]);
    expect(say(approve, personal, denied).result).toEqual({ outcome: 'refused' });
  });

  test('never places a restricted statement wider than its subject', () => {
    const approve: Ruling = { action: 'approve', item: item(), expiresAt: null };
    const wide = statement({ state: 'held', sensitivity: 'restricted', targetLevel: 'scope' });
    expect(say(approve, wide).result).toEqual({ outcome: 'refused' });
  });

  test('places no statement where another open one makes the same claim', () => {
    const approve: Ruling = { action: 'approve', item: item(), expiresAt: null };
    const twin = statement({ state: 'held', previouslyRefused: true });
    const other = statement({ id: 'k2', state: 'active' });
    expect(say(approve, twin, new Map(), [other]).result).toEqual({ outcome: 'refused' });
  });

  test('that makes a statement as sensitive as it was said to be takes it back to its subject', () => {
    const approve: Ruling = { action: 'approve', item: itemOf('sensitivity'), expiresAt: null };
    const wide = statement({ state: 'active', targetLevel: 'scope' });
    expect(say(approve, wide).plan.changes[0]?.after).toMatchObject({
      sensitivity: 'personal',
      targetLevel: 'peer',
    });
  });

  test('nobody gave in time rejects a contested statement', () => {
    const unanswered: Ruling = { action: 'leave_unanswered', item: itemOf('contest') };
    const { plan } = say(unanswered, statement({ state: 'contested' }));
    expect(plan.transitions).toMatchObject([{ to: 'rejected', reason: 'contest_unanswered' }]);
    expect(plan.closings[0]).toMatchObject({ kind: 'contest', state: 'rejected' });
  });
});
