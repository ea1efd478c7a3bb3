/** Which questions are opened and closed, what answers do, and who may change preferences to what. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import {
  planProposals,
  planPuttingOff,
  planRuling,
  planSweep,
} from '../../../domain/knowledge/planning.ts';
import type { Proposal, Statement } from '../../../domain/statements/statement.ts';
import { effectOf, ENDS } from '../../../domain/questions/answers.ts';
import { owedQuestion, questionChanges } from '../../../domain/knowledge/owed.ts';
import { NO_WISH, wishAfter, type AskPreference } from '../../../domain/questions/preference.ts';
import {
  ASKED_KINDS,
  changedConfidence,
  type AnswerVerdict,
  VERIFICATIONS,
} from '../../../domain/questions/words.ts';
import { context, proposal, source } from '../knowledge/fixtures.ts';

const NOW = context().now;
const PAST = '2025-12-01T00:00:00.000Z';
const FUTURE = '2026-02-01T00:00:00.000Z';

function statement(changes: Partial<Statement> = {}, values: Partial<Proposal> = {}): Statement {
  const { after } = planProposals([proposal(values)], [], context()).changes[0] ?? {};
  if (after === undefined) throw new Error('no statement');
  return { ...after, id: 'k', ...changes };
}

const alice = { peerId: 'alice', channel: 'api' } as const;
const ruled = (known: Statement, action: 'confirm' | 'redact', asked: boolean) =>
  planRuling(
    known.id,
    action === 'redact' ? { action } : { action, expiresAt: null, ...(asked && { asked }) },
    [known],
    { ...context(), consents: new Map() },
    alice,
  );

describe('a question that is owed', () => {
  test('asks the subject, who said it, whether what waits at peer level is true', () => {
    expect(owedQuestion(statement())).toBe('confirm');
    expect(owedQuestion(statement({ state: 'held' }))).toBe('confirm');
    expect(owedQuestion(statement({ state: 'held', targetLevel: 'scope' }))).toBeNull();
    expect(owedQuestion(statement({ previouslyRefused: true }))).toBeNull();
  });

  test('is none where its person cannot be shown the statement', () => {
    const hearsay = planProposals(
      [proposal({ sources: [source({ speakerId: 'bob' })] })],
      [],
      context(),
    );
    const [change] = hearsay.changes;
    expect(change?.after.state).toBe('provisional');
    expect(questionChanges(hearsay).openings).toEqual([]);
  });

  test('is opened by whoever is its subject joining those who said it', () => {
    const by = (speakerId: string, messageId: string) =>
      proposal({
        anchorId: messageId,
        sources: [source({ speakerId, messageId, contentHash: messageId })],
      });
    const [first] = planProposals([by('bob', 'm1')], [], context()).changes;
    if (first === undefined) throw new Error('no statement');
    const joined = planProposals([by('alice', 'm2')], [first.after], context());
    expect(questionChanges(joined)).toMatchObject({
      closings: [],
      openings: [{ kind: 'confirm' }],
    });
  });

  test.each(KNOWLEDGE_STATES)('of a statement about a scope is none: %s', (state) => {
    expect(owedQuestion(statement({ state, subject: { type: 'scope', id: 'team' } }))).toBeNull();
  });

  test.each(KNOWLEDGE_STATES)('follows from the state %s', (state) => {
    const owed = { provisional: 'confirm', held: 'confirm', needs_revalidation: 'revalidate' };
    expect(owedQuestion(statement({ state }))).toBe(Reflect.get(owed, state) ?? null);
  });
});

describe('a change of statements', () => {
  test('opens the question of what it creates', () => {
    const plan = planProposals([proposal()], [], context());
    expect(questionChanges(plan)).toEqual({
      closings: [],
      openings: [
        {
          statementId: 'k1',
          scopeId: 'team',
          peerId: 'alice',
          kind: 'confirm',
          targetScopeId: null,
          statementHash: 'tea',
        },
      ],
    });
  });

  test('that leaves state, text and place leaves the questions', () => {
    const known = statement();
    const again = proposal({ sources: [source({ messageId: 'm2', contentHash: 'bb' })] });
    const { closings, openings } = questionChanges(planProposals([again], [known], context()));
    expect([closings, openings]).toEqual([[], []]);
  });

  test('of the state closes what was asked, with the reason', () => {
    const { plan } = ruled(statement(), 'redact', false);
    expect(questionChanges(plan)).toEqual({
      closings: [{ statementId: 'k', kinds: ASKED_KINDS, reason: 'subject_redacted' }],
      openings: [],
    });
  });

  test('asks for consent where an approval waits for it, and ends that with the item', () => {
    const item = {
      id: 'i',
      kind: 'gate_b',
      conflictId: null,
      targetScopeId: 'root',
      targetLevel: 'account',
      proposedSensitivity: null,
    } as const;
    const known = statement({ state: 'active', sensitivity: 'personal' });
    const consents = new Map();
    const curator = { peerId: 'cura', channel: 'api' } as const;
    const approve = { action: 'approve', item, expiresAt: null } as const;
    const waiting = planRuling('k', approve, [known], { ...context(), consents }, curator);
    expect(questionChanges(waiting.plan)).toMatchObject({
      closings: [],
      openings: [{ kind: 'consent_upward', peerId: 'alice', targetScopeId: 'root' }],
    });
    const reject = { action: 'reject', item } as const;
    const over = planRuling('k', reject, [known], { ...context(), consents }, curator);
    expect(questionChanges(over.plan)).toMatchObject({
      closings: [{ kinds: ['consent_upward'], reason: 'curator_rejected' }],
      openings: [],
    });
  });
});

describe('an answer', () => {
  test.each(ASKED_KINDS)('to a question of kind %s has the effect of the table', (kind) => {
    const of = (verdict: AnswerVerdict, skips = 0) =>
      VERIFICATIONS.map((verification) => effectOf({ kind, skips }, verdict, verification));
    const isConsent = kind === 'consent_upward';
    expect(of('confirm')).toEqual([
      isConsent ? 'consent_granted' : 'knowledge_confirmed',
      'timer_deferred_only',
    ]);
    expect(of('reject')).toEqual([
      isConsent ? 'consent_denied' : 'knowledge_retracted',
      'timer_deferred_only',
    ]);
    expect(of('unsure')).toEqual(['unsure_closed', 'timer_deferred_only']);
    expect(of('skip')).toEqual(['pending_after_skip', 'pending_after_skip']);
    expect(of('skip', 1)).toEqual(['escalated_to_curator', 'escalated_to_curator']);
  });

  test('that nobody can verify never ends a question or changes what is believed', () => {
    for (const kind of ASKED_KINDS) {
      for (const verdict of ['confirm', 'reject', 'unsure'] as const) {
        expect(ENDS[effectOf({ kind, skips: 0 }, verdict, 'unverified_channel')]).toBe(false);
      }
    }
  });

  test('yes makes what waits active, adds to its confidence, and approves its item', () => {
    const known = statement({}, { confidence: 0.6 });
    const { plan } = ruled(known, 'confirm', true);
    expect(plan.changes[0]?.after).toMatchObject({
      state: 'active',
      confidence: 0.7,
      verification: 'subject_confirmed',
      revalidateAfter: '2026-04-01T00:00:00.000Z',
    });
    expect(plan.closings).toMatchObject([
      { kind: 'gate_a_b', state: 'approved', by: 'alice' },
      { kind: null, except: ['gate_a_b'] },
    ]);
    expect(ruled(known, 'confirm', false).plan.changes[0]?.after.confidence).toBe(1);
  });

  test('puts off the date of a placed statement, never back, and of no other', () => {
    const off = (changes: Partial<Statement>) =>
      planPuttingOff('k', '2026-01-08T00:00:00.000Z', [statement(changes)], context()).changes[0]
        ?.after.revalidateAfter;
    expect(off({ state: 'active', revalidateAfter: PAST })).toBe('2026-01-08T00:00:00.000Z');
    expect(off({ state: 'active', revalidateAfter: FUTURE })).toBeUndefined();
    expect(off({ state: 'active', revalidateAfter: null })).toBeUndefined();
    expect(off({ state: 'provisional', revalidateAfter: PAST })).toBeUndefined();
  });
});

test('confidence stays between 0 and 1, without the dust of fractions', () => {
  expect([changedConfidence(0.8, -0.15), changedConfidence(0.1, -0.15)]).toEqual([0.65, 0]);
  expect([changedConfidence(0.7, 0.1), changedConfidence(0.95, 0.1)]).toEqual([0.8, 1]);
});

describe('a question that nobody answered in time', () => {
  const sweep = (known: Statement, kind: (typeof ASKED_KINDS)[number], deadlineAt = PAST) =>
    planSweep(
      [{ id: 'k', overSince: null, items: [], questions: [{ id: 'q', kind, deadlineAt }] }],
      [known],
      context(),
    );

  test.each([
    ['needs_revalidation', 'revalidate'],
    ['provisional', 'confirm'],
    ['held', 'confirm'],
  ] as const)('takes from the confidence of what is %s, and leaves it so', (state, kind) => {
    const { plan, unanswered } = sweep(statement({ state }), kind);
    expect(unanswered).toEqual(['q']);
    expect(plan.changes[0]?.after).toMatchObject({ state, confidence: 0.85 });
    expect([plan.transitions, plan.openings, plan.closings]).toEqual([[], [], []]);
    expect(questionChanges(plan)).toEqual({ closings: [], openings: [] });
  });

  test('is over when the item of the same statement makes it stale', () => {
    const item = {
      id: 'i',
      kind: 'revalidation',
      state: 'escalated',
      dueAt: PAST,
      conflictId: null,
      targetScopeId: null,
      targetLevel: 'peer',
      proposedSensitivity: null,
    } as const;
    const questions = [{ id: 'q', kind: 'revalidate', deadlineAt: FUTURE }] as const;
    const known = statement({ state: 'needs_revalidation' });
    const due = [{ id: 'k', overSince: null, items: [item], questions }];
    const { plan, unanswered } = planSweep(due, [known], context());
    expect(plan.changes[0]?.after).toMatchObject({ state: 'stale', confidence: 1 });
    expect(unanswered).toEqual([]);
    expect(questionChanges(plan).closings).toMatchObject([{ reason: 'revalidation_unanswered' }]);
  });

  test('changes nothing of a statement whose consent was asked for, or that has changed since', () => {
    expect(sweep(statement({ state: 'active' }), 'consent_upward').plan.changes).toEqual([]);
    expect(sweep(statement({ state: 'active' }), 'revalidate').plan.changes).toEqual([]);
    expect(sweep(statement({ state: 'stale' }), 'revalidate').plan.changes).toEqual([]);
  });

  test('is left before its deadline', () => {
    const { plan, unanswered } = sweep(statement(), 'confirm', FUTURE);
    expect([plan.changes, unanswered]).toEqual([[], []]);
  });
});

describe('a preference', () => {
  const now = new Date(NOW);
  const counts = fc.option(fc.nat(12));
  const wishes = fc.record({
    max_per_session: counts,
    max_per_day: counts,
    pause_for_hours: fc.option(fc.nat(9_000)),
  });
  const until = ({ paused_until: at }: AskPreference) => (at === null ? 0 : Date.parse(at));

  test('of an agent is never looser than before, whatever it asks for', () => {
    fc.assert(
      fc.property(fc.array(wishes, { maxLength: 6 }), (asked) => {
        let before = NO_WISH;
        for (const wish of asked) {
          const after = wishAfter(before, wish, { mayLoosen: false, now });
          expect(after.max_per_session).toBeLessThanOrEqual(before.max_per_session);
          expect(after.max_per_day).toBeLessThanOrEqual(before.max_per_day);
          expect(until(after)).toBeGreaterThanOrEqual(until(before));
          before = after;
        }
      }),
    );
  });

  test('of the person is what the person says, and ends a pause with 0 hours', () => {
    const paused = wishAfter(
      NO_WISH,
      { max_per_session: 0, max_per_day: null, pause_for_hours: 24 },
      { mayLoosen: true, now },
    );
    expect(paused).toEqual({
      max_per_session: 0,
      max_per_day: 10,
      paused_until: '2026-01-02T00:00:00.000Z',
    });
    const wish = { max_per_session: 3, max_per_day: 2, pause_for_hours: 0 };
    expect(wishAfter(paused, wish, { mayLoosen: true, now })).toEqual({
      max_per_session: 3,
      max_per_day: 2,
      paused_until: null,
    });
  });

  test('with a pause that is over has none', () => {
    const over = { ...NO_WISH, paused_until: PAST };
    const wish = { max_per_session: null, max_per_day: null, pause_for_hours: null };
    expect(wishAfter(over, wish, { mayLoosen: false, now }).paused_until).toBeNull();
  });
});
