/** A new source of a placed statement that waits to be confirmed, and the dates that rules give. */
import { describe, expect, test } from '@jest/globals';
import { CELLS } from '../../../domain/governance/rule-sets.ts';
import { presetRules, type GatePreset } from '../../../domain/governance/presets.ts';
import type { GateRule } from '../../../domain/governance/rule-columns.ts';
import type { Plan, PlanContext } from '../../../domain/knowledge/plan.ts';
import { planProposals } from '../../../domain/knowledge/planning.ts';
import type { Proposal, Statement } from '../../../domain/statements/statement.ts';
import { context, proposal } from './fixtures.ts';

function only(plan: Plan): Statement {
  const [change, ...more] = plan.changes;
  if (change === undefined || more.length > 0) throw new Error('not exactly one statement');
  return change.after;
}

const LATER = { messageId: 'm2', contentHash: 'bb', occurredAt: '2025-01-01T00:00:00.000Z' };

/** What `assisted` placed, and a sweep found to be over its date. */
const waiting = (changes: Partial<Statement> = {}, values: Partial<Proposal> = {}): Statement => ({
  ...only(planProposals([proposal(values)], [], context('assisted'))),
  state: 'needs_revalidation',
  verification: 'stale',
  revalidateAfter: '2025-12-01T00:00:00.000Z',
  ...changes,
});

const say = (
  known: Statement,
  preset: GatePreset = 'assisted',
  values: Partial<Proposal> = {},
  from = {},
) => planProposals([proposal(values, { ...LATER, ...from })], [known], context(preset));

/** `assisted`, with this rule in all cells of the scope. */
function withRule(scopeId: string, rule: Partial<GateRule>): PlanContext {
  const base = context('assisted');
  const rules = presetRules('assisted').map((each) => ({ ...each, ...rule, id: 'r', scopeId }));
  return { ...base, rules: [...base.rules, ...rules] };
}

describe('a new source of what needs to be confirmed', () => {
  test.each(['needs_revalidation', 'stale'] as const)(
    'makes what is %s active with a new date, by decisions of the gates',
    (state) => {
      const known = waiting({ state });
      const plan = say(known);
      expect(only(plan)).toMatchObject({
        id: known.id,
        state: 'active',
        verification: 'auto_verified',
        scopeId: known.scopeId,
        revalidateAfter: '2026-04-01T00:00:00.000Z',
        statementHash: known.statementHash,
      });
      expect(plan.transitions).toMatchObject([
        { from: state, to: 'active', reason: 'gates_rerun', actor: null },
      ]);
      expect(
        plan.decisions.map(({ gate, decision, from, to }) => [gate, decision, from, to]),
      ).toEqual([
        ['gate_a', 'keep', state, 'active'],
        ['gate_b', 'place', state, 'active'],
      ]);
      expect(plan.openings).toEqual([]);
      // All questions end but those that stay open for every placed statement.
      expect(plan.closings).toContainEqual({
        statementId: known.id,
        kind: null,
        conflictId: null,
        except: ['gate_a_b', 'conflict'],
        state: 'closed',
        reason: 'gates_rerun',
        by: null,
      });
    },
  );

  test('counts where the same speaker says it again, and where another does', () => {
    expect(only(say(waiting()))).toMatchObject({ state: 'active', corroboration: 1 });
    const bob = say(waiting(), 'assisted', {}, { speakerId: 'bob' });
    expect(only(bob)).toMatchObject({ state: 'active', corroboration: 2 });
  });

  test('lets what one source more is needed for wait for that source', () => {
    const level = { targetLevel: 'scope' } as const;
    const known = waiting({ corroboration: 1 }, level);
    const held = say(known, 'unattended', level);
    expect(only(held).state).toBe('needs_revalidation');
    expect(held.decisions).toEqual([]);
    const bob = { messageId: 'm3', speakerId: 'bob', contentHash: 'cc' };
    const placed = say(only(held), 'unattended', level, bob);
    expect(only(placed)).toMatchObject({ state: 'active', scopeId: 'team', revalidateAfter: null });
  });

  test.each([
    ['the rules ask a person', waiting(), 'strict', {}],
    ['the rules would reject it', waiting({ sensitivity: 'restricted' }), 'unattended', {}],
    ['it has expired', waiting({ expiresAt: '2026-01-01T00:00:00.000Z' }), 'assisted', {}],
  ] as const)('adds sources only where %s', (_, known, preset, values) => {
    const plan = say(known, preset, values);
    expect(only(plan)).toEqual({ ...known, attestation: only(plan).attestation });
    expect(plan).toMatchObject({ transitions: [], decisions: [], openings: [], closings: [] });
  });

  test('asks whether it is more sensitive instead, where the source says so', () => {
    const plan = say(waiting(), 'assisted', { sensitivity: 'personal' });
    expect(only(plan).state).toBe('needs_revalidation');
    expect(plan.openings).toMatchObject([{ kind: 'conflict', proposedSensitivity: 'personal' }]);
    expect(plan.closings).toEqual([]);
  });

  test('is no message that was sent again', () => {
    const again = planProposals(
      [proposal({}, { messageId: 'm9' })],
      [waiting()],
      context('assisted'),
    );
    expect(again.transitions).toEqual([]);
    expect(only(again).state).toBe('needs_revalidation');
  });

  test('gives the same in one batch and in two', () => {
    const [one, two] = [
      proposal({}, LATER),
      proposal({}, { ...LATER, messageId: 'm3', contentHash: 'cc' }),
    ];
    const together = only(planProposals([one, two], [waiting()], context('assisted')));
    const first = only(planProposals([one], [waiting()], context('assisted')));
    expect(only(planProposals([two], [first], context('assisted')))).toEqual(together);
  });

  test('changes no state of a placed statement that does not wait, whatever the rules are now', () => {
    for (const preset of ['strict', 'assisted', 'unattended'] as const) {
      const plan = say(waiting({ state: 'active' }), preset);
      expect(only(plan).state).toBe('active');
      expect(plan.transitions).toEqual([]);
    }
  });
});

describe('the dates of a statement', () => {
  const days = { revalidateAfterDays: 10, expiresAfterDays: 30 };

  test('are those of the rule of the nearest scope', () => {
    const dates = {
      revalidateAfter: '2026-01-11T00:00:00.000Z',
      expiresAt: '2026-01-31T00:00:00.000Z',
    };
    expect(only(planProposals([proposal()], [], withRule('team', days)))).toMatchObject(dates);
    expect(only(planProposals([proposal()], [], withRule('root', days)))).toMatchObject(dates);
    expect(only(planProposals([proposal()], [], withRule('other', days)))).toMatchObject({
      revalidateAfter: '2026-04-01T00:00:00.000Z',
      expiresAt: null,
    });
  });

  test('of revalidation are not given to what waits; it expires all the same', () => {
    const asked = withRule('team', { ...days, gateB: 'human' });
    expect(only(planProposals([proposal()], [], asked))).toMatchObject({
      state: 'provisional',
      revalidateAfter: null,
      expiresAt: '2026-01-31T00:00:00.000Z',
    });
  });

  test('of expiry stay when a new source confirms it', () => {
    const known = waiting({ expiresAt: '2026-02-01T00:00:00.000Z' });
    const plan = planProposals([proposal({}, LATER)], [known], withRule('team', days));
    expect(only(plan)).toMatchObject({
      state: 'active',
      revalidateAfter: '2026-01-11T00:00:00.000Z',
      expiresAt: '2026-02-01T00:00:00.000Z',
    });
  });

  test('have no revalidation where nobody reviews', () => {
    for (const { revalidateAfterDays } of presetRules('unattended')) {
      expect(revalidateAfterDays).toBeNull();
    }
    expect(presetRules('unattended')).toHaveLength(CELLS.length);
  });
});
