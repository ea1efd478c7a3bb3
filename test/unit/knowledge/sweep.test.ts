/** What the clock makes of statements and items: pure rules, and the plan that carries them out. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ITEM_KINDS, ITEM_STATES } from '../../../domain/governance/items.ts';
import {
  ageOf,
  CONTEST_GRACE_MS,
  dueState,
  LONGEST_SETBACK_MS,
  setbackMs,
} from '../../../domain/governance/sweeps.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { planProposals, planSweep } from '../../../domain/knowledge/planning.ts';
import type { DueStatement, SweptItem } from '../../../domain/knowledge/sweep-draft.ts';
import {
  OPEN_STATES,
  type Proposal,
  type Statement,
} from '../../../domain/statements/statement.ts';
import { context, proposal } from './fixtures.ts';

const NOW = context().now;
const PAST = '2025-12-01T00:00:00.000Z';
const FUTURE = '2026-02-01T00:00:00.000Z';

const instants = fc
  .date({
    min: new Date('2025-01-01'),
    max: new Date('2027-01-01'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());

describe('the state into which time takes a statement', () => {
  test.each(KNOWLEDGE_STATES)('is expired for %s when it is open, and none when not', (state) => {
    const due = (expiresAt: string) => dueState({ state, expiresAt, revalidateAfter: null }, NOW);
    expect(due(NOW)).toBe(OPEN_STATES.includes(state) ? 'expired' : null);
    expect(due(PAST)).toBe(due(NOW));
    expect(due(FUTURE)).toBeNull();
  });

  test.each(KNOWLEDGE_STATES)('is needs_revalidation for active only: %s', (state) => {
    const due = (revalidateAfter: string) =>
      dueState({ state, expiresAt: FUTURE, revalidateAfter }, NOW);
    expect(due(NOW)).toBe(state === 'active' ? 'needs_revalidation' : null);
    expect(due(FUTURE)).toBeNull();
  });

  test('never goes back as time goes on', () => {
    const rank = { none: 0, needs_revalidation: 1, expired: 2 };
    fc.assert(
      fc.property(
        fc.constantFrom(...KNOWLEDGE_STATES),
        fc.option(instants),
        fc.option(instants),
        fc.tuple(instants, instants),
        (state, expiresAt, revalidateAfter, times) => {
          const [earlier, later] = times
            .toSorted()
            .map((now) => rank[dueState({ state, expiresAt, revalidateAfter }, now) ?? 'none']);
          expect(later).toBeGreaterThanOrEqual(earlier ?? 0);
        },
      ),
    );
  });
});

describe('the age of an item', () => {
  test.each(ITEM_STATES)('of state %s is none before it is due', (state) => {
    for (const kind of ITEM_KINDS) expect(ageOf({ kind, state, dueAt: FUTURE }, NOW)).toBeNull();
  });

  test.each(ITEM_KINDS)('of kind %s is escalated first, whatever the kind', (kind) => {
    for (const state of ['pending', 'deferred'] as const) {
      expect(ageOf({ kind, state, dueAt: PAST }, NOW)).toBe('escalated');
    }
    const last = ageOf({ kind, state: 'escalated', dueAt: PAST }, NOW);
    expect(last).toBe(kind === 'contest' || kind === 'revalidation' ? 'unanswered' : 'left');
  });

  test('begins when it is due, and of a contest ten minutes later', () => {
    const at = (ms: number) => new Date(Date.parse(NOW) + ms).toISOString();
    for (const kind of ITEM_KINDS) {
      const grace = kind === 'contest' ? CONTEST_GRACE_MS : 0;
      const age = (now: string) => ageOf({ kind, state: 'pending', dueAt: NOW }, now);
      expect([age(at(grace - 1)), age(at(grace))]).toEqual([null, 'escalated']);
    }
  });

  test('is none for what awaits consent and for what has ended', () => {
    const ended = ['awaiting_consent', 'approved', 'rejected', 'merged', 'closed'] as const;
    for (const state of ended) {
      for (const kind of ITEM_KINDS) expect(ageOf({ kind, state, dueAt: PAST }, NOW)).toBeNull();
    }
  });
});

test('a statement that fails waits a minute, then twice as long each time, and an hour at most', () => {
  expect([1, 2, 3, 4].map(setbackMs)).toEqual([60_000, 120_000, 240_000, 480_000]);
  expect([7, 40, 1_000_000].map(setbackMs)).toEqual(
    Array.from({ length: 3 }, () => LONGEST_SETBACK_MS),
  );
  expect(setbackMs(0)).toBe(60_000);
});

describe('the plan of a sweep', () => {
  function statement(changes: Partial<Statement>, values: Partial<Proposal> = {}): Statement {
    const { after } = planProposals([proposal(values)], [], context()).changes[0] ?? {};
    if (after === undefined) throw new Error('no statement');
    return { ...after, id: changes.id ?? 'k', ...changes };
  }

  const item = (values: Partial<SweptItem>): SweptItem => ({
    id: 'i1',
    kind: 'gate_a_b',
    state: 'pending',
    dueAt: PAST,
    conflictId: null,
    targetScopeId: null,
    targetLevel: 'peer',
    proposedSensitivity: null,
    ...values,
  });

  const sweep = (known: readonly Statement[], due: readonly DueStatement[]) =>
    planSweep(due, known, context());
  const due = (id: string, ...items: readonly SweptItem[]): DueStatement => ({
    id,
    overSince: PAST,
    items,
    questions: [],
  });

  test('ends the period of an expired statement when its time was over', () => {
    const { plan } = sweep(
      [statement({ state: 'held', heldScopeId: 'root', expiresAt: PAST })],
      [due('k', item({}))],
    );
    expect(plan.changes[0]?.after).toMatchObject({ state: 'expired', heldScopeId: null });
    expect(plan.since?.get('k')).toBe(PAST);
    expect(plan.closings).toMatchObject([{ kind: null, reason: 'expired', state: 'closed' }]);
    expect(plan.decisions).toEqual([]);
  });

  test('does nothing about what is not due any more, or was erased meanwhile', () => {
    const kept = statement({ state: 'active', expiresAt: FUTURE, revalidateAfter: FUTURE });
    const swept = sweep([kept], [due('k', item({ dueAt: FUTURE })), due('gone')]);
    expect(swept.plan.changes).toEqual([]);
    expect([swept.escalated, swept.pastAgeing]).toEqual([[], []]);
    const contested = statement({ state: 'contested', expiresAt: PAST });
    expect(sweep([contested], [due('k')]).plan.changes).toEqual([]);
  });

  test('leaves a contest alone whose statement is not contested, for good', () => {
    const { pastAgeing, plan } = sweep(
      [statement({ state: 'active' })],
      [due('k', item({ kind: 'contest', state: 'escalated' }))],
    );
    expect([pastAgeing, plan.changes]).toEqual([['i1'], []]);
  });

  test('is the same whatever the order of what is due', () => {
    const states = ['provisional', 'active', 'needs_revalidation', 'stale', 'contested'] as const;
    const row = fc.record({
      state: fc.constantFrom(...states),
      expiresAt: fc.option(instants),
      revalidateAfter: fc.option(instants),
      kind: fc.constantFrom('gate_a_b', 'contest', 'revalidation', 'gate_b'),
      open: fc.constantFrom('pending', 'escalated'),
      dueAt: instants,
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), fc.nat(), (rows, turn) => {
        const known = rows.map(({ expiresAt, revalidateAfter, state }, n) =>
          statement({
            id: `k${n}`,
            statementHash: `tea${n}`,
            state,
            expiresAt,
            revalidateAfter,
            stateBeforeContest: state === 'contested' ? 'active' : null,
          }),
        );
        const all = rows.map(({ dueAt, kind, open }, n) =>
          due(`k${n}`, item({ id: `i${n}`, kind, state: open, dueAt })),
        );
        const at = turn % all.length;
        const one = sweep(known, all);
        const other = sweep(known, [...all.slice(at), ...all.slice(0, at)]);
        const states = ({ plan }: typeof one) =>
          plan.changes.map(({ after }) => `${after.id} ${after.state}`).toSorted();
        expect(states(other)).toEqual(states(one));
        expect(other.escalated.toSorted()).toEqual(one.escalated.toSorted());
        expect(other.pastAgeing.toSorted()).toEqual(one.pastAgeing.toSorted());
        // What was swept is not due again at the same moment.
        const after = new Map(one.plan.changes.map((change) => [change.after.id, change.after]));
        const again = sweep(
          known.map((each) => after.get(each.id) ?? each),
          all.map((each) => ({ ...each, items: [] })),
        );
        expect(again.plan.changes).toEqual([]);
      }),
    );
  });

  test('keeps the end that an expired statement had, and those that it made', () => {
    const claim = (value: string) => ({
      about: 'residence',
      value,
      mode: 'holds' as const,
    });
    const lives = (value: string, at: string, from: string | null) =>
      proposal(
        {
          statementHash: value,
          wording: {
            ...proposal().wording,
            text: `Alice lives in ${value}.`,
            claim: claim(value),
            occurredAt: at,
            relevantFrom: from === null ? null : { at: from, precision: 'day' },
          },
        },
        { messageId: value, occurredAt: at, contentHash: value },
      );
    const oslo = lives('oslo', '2024-01-01T00:00:00.000Z', '2023-01-01T00:00:00.000Z');
    const rome = lives('rome', '2024-06-01T00:00:00.000Z', '2024-05-01T00:00:00.000Z');
    const told = planProposals([oslo, rome], [], context('unattended')).changes.map(
      ({ after }) => after,
    );
    const [older, newer] = told;
    expect(older?.update?.ends?.at).toBe('2024-05-01T00:00:00.000Z');
    const expiring = told.map((each) =>
      each.id === older?.id ? { ...each, expiresAt: PAST } : each,
    );
    const { plan } = sweep(expiring, [due(older?.id ?? '')]);
    const [change] = plan.changes;
    expect(change?.after).toMatchObject({ state: 'expired', update: { byId: newer?.id } });
    expect(change?.after.update?.ends?.at).toBe('2024-05-01T00:00:00.000Z');
    const newerOver = told.map((each) =>
      each.id === newer?.id ? { ...each, expiresAt: PAST } : each,
    );
    const swept = sweep(newerOver, [due(newer?.id ?? '')]).plan;
    expect(swept.changes.map(({ after }) => [after.id, after.state])).toEqual([
      [newer?.id, 'expired'],
    ]);
  });

  test('leaves ended what an expired statement had ended, until it is said again', () => {
    const lives = (value: string, at: string) =>
      proposal(
        {
          statementHash: value,
          wording: {
            ...proposal().wording,
            text: `Alice lives in ${value}.`,
            claim: { about: 'residence', value, mode: 'holds' },
            occurredAt: at,
            sourceHash: at,
          },
        },
        { messageId: at, occurredAt: at, contentHash: at },
      );
    const first = [
      lives('oslo', '2024-01-01T00:00:00.000Z'),
      lives('rome', '2024-06-01T00:00:00.000Z'),
    ];
    const told = planProposals(first, [], context('unattended')).changes.map(({ after }) => after);
    const known = told.map((each) =>
      each.statementHash === 'rome' ? { ...each, expiresAt: PAST } : each,
    );
    const rome = known.find(({ statementHash }) => statementHash === 'rome')?.id ?? '';
    const stateOf = (statements: readonly Statement[], hash: string) =>
      statements.find(({ statementHash }) => statementHash === hash)?.state;
    expect(stateOf(known, 'oslo')).toBe('superseded');
    const changes = new Map(
      sweep(known, [due(rome)]).plan.changes.map(({ after }) => [after.id, after]),
    );
    const swept = known.map((each) => changes.get(each.id) ?? each);
    expect([stateOf(swept, 'oslo'), stateOf(swept, 'rome')]).toEqual(['superseded', 'expired']);
    const oslo = swept.find(({ statementHash }) => statementHash === 'oslo');
    expect(changes.get(rome)?.supersedesId).toBe(oslo?.id);
    expect(oslo?.update?.byId).toBe(rome);
    const again = [lives('oslo', '2025-01-01T00:00:00.000Z')];
    const { changes: said } = planProposals(again, swept, context('unattended'));
    expect(said.map(({ after }) => [after.statementHash, after.state])).toEqual([
      ['oslo', 'active'],
    ]);
    // What was said before the expired statement, and arrives late, brings nothing back.
    const late = [lives('oslo', '2024-02-01T00:00:00.000Z')];
    const { changes: old } = planProposals(late, swept, context('unattended'));
    expect(old.map(({ after }) => after.state)).not.toContain('active');
  });
});
