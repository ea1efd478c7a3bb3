/** What a curator withholds: nothing but the decision about its item places it again. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GATE_PRESETS, type GatePreset } from '../../../domain/governance/presets.ts';
import type { Plan } from '../../../domain/knowledge/plan.ts';
import {
  planDenial,
  planLosses,
  planMerge,
  planProposals,
  planPuttingOff,
  planRegate,
  planReopening,
  planRevision,
  planRuling,
  planSweep,
} from '../../../domain/knowledge/planning.ts';
import type { OpenItem } from '../../../domain/knowledge/ruling.ts';
import { standingOf, type Statement } from '../../../domain/statements/statement.ts';
import { sized } from '../../support/run.ts';
import { context } from './fixtures.ts';
import { said } from './sayings.ts';

const CURATOR = { peerId: 'cleo', channel: 'api' } as const;
const NO_CONSENTS = new Map<string, 'granted'>();

const itemOf = (values: Partial<OpenItem>): OpenItem => ({
  id: 'item',
  kind: 'revalidation',
  conflictId: null,
  targetScopeId: null,
  targetLevel: 'peer',
  proposedSensitivity: null,
  ...values,
});

/** Statements, as plan after plan leaves them. */
class Held {
  readonly rows = new Map<string, Statement>();

  get all(): readonly Statement[] {
    return [...this.rows.values()];
  }

  take(plan: Plan | null): void {
    for (const { after } of plan?.changes ?? []) this.rows.set(after.id, after);
  }
}

const ours = said({ n: 1, value: 'oslo', day: 1 });

function placed(held: Held, preset: GatePreset): Statement {
  held.take(planProposals([ours], [], context('unattended')));
  held.take(
    planProposals(
      [said({ n: 2, value: 'baker', about: 'occupation', day: 2 })],
      held.all,
      withIds(preset),
    ),
  );
  const [first] = held.all;
  if (first === undefined) throw new Error('it is kept');
  const one: Statement = { ...first, state: 'active', update: null };
  held.rows.set(one.id, one);
  return one;
}

let ids = 0;
function withIds(preset: GatePreset, now = '2026-01-01T00:00:00.000Z') {
  return {
    ...context(preset),
    consents: NO_CONSENTS,
    now,
    newId: () => {
      ids += 1;
      return `n${ids}`;
    },
  };
}

type Step = (held: Held, id: string, preset: GatePreset) => Plan | null;

const again = (values: Parameters<typeof said>[0]): Step => {
  const proposal = { ...said(values), statementHash: ours.statementHash };
  return (held, _id, preset) => planProposals([proposal], held.all, withIds(preset));
};
const decided = (action: 'approve' | 'reject', item: OpenItem): Step => {
  const ruling = action === 'approve' ? { action, item, expiresAt: null } : { action, item };
  return (held, id, preset) => planRuling(id, ruling, held.all, withIds(preset), CURATOR).plan;
};
const ruled =
  (ruling: { action: 'confirm'; expiresAt: null } | { action: 'contest' }): Step =>
  (held, id, preset) =>
    planRuling(id, ruling, held.all, withIds(preset), { peerId: 'alice', channel: 'api' }).plan;

const other = (held: Held, id: string): string => held.all.find((row) => row.id !== id)?.id ?? id;

/** Everything that happens to statements, but the decision about the item. */
const STEPS: Readonly<Record<string, Step>> = {
  'said again': again({ n: 3, value: 'oslo', day: 3 }),
  'said by another': again({ n: 4, value: 'oslo', day: 4, speaker: 'bob' }),
  'said more widely': again({ n: 5, value: 'oslo', day: 5, values: { targetLevel: 'scope' } }),
  'said as a secret': again({ n: 6, value: 'oslo', day: 6, values: { sensitivity: 'personal' } }),
  'something newer is said': (held, _id, preset) =>
    planProposals([said({ n: 7, value: 'paris', day: 9 })], held.all, withIds(preset)),
  'the gates run again': (held, id, preset) => planRegate([id], held.all, withIds(preset)),
  'the subject confirms it': ruled({ action: 'confirm', expiresAt: null }),
  'the subject contests it': ruled({ action: 'contest' }),
  'the contest is dismissed': decided('approve', itemOf({ kind: 'contest' })),
  'a proposal is approved': decided('approve', itemOf({ kind: 'gate_a_b' })),
  'a promotion is approved': decided(
    'approve',
    itemOf({ kind: 'gate_b', targetScopeId: 'root', targetLevel: 'account' }),
  ),
  'a contradiction is settled': decided('approve', itemOf({ kind: 'conflict', conflictId: 'x' })),
  'a stricter sensitivity is refused': decided(
    'reject',
    itemOf({ kind: 'conflict', proposedSensitivity: 'personal' }),
  ),
  'another is merged into it': (held, id, preset) =>
    planMerge(
      { id: other(held, id), item: itemOf({ kind: 'gate_a_b' }), actor: CURATOR },
      { intoId: id, corroboration: 9 },
      held.all,
      withIds(preset),
    ),
  'consent is denied': (held, id, preset) =>
    planDenial(id, 'team', held.all, withIds(preset), CURATOR),
  'its date is put off': (held, id, preset) =>
    planPuttingOff(id, '2027-01-01T00:00:00.000Z', held.all, withIds(preset)),
  'its document is silent': (held, id, preset) =>
    planRevision({ withdrawn: [id], restored: [] }, held.all, withIds(preset)),
  'its document says it again': (held, id, preset) =>
    planRevision(
      { withdrawn: [], restored: [{ id, wasRevised: true }] },
      held.all,
      withIds(preset),
    ),
  'a source is erased': (held, id, preset) =>
    planLosses([{ id, words: 'own' }], held.all, withIds(preset)),
  'time passes': (held, id, preset) =>
    planSweep(
      [
        {
          id,
          overSince: null,
          questions: [],
          items: [{ ...itemOf({}), state: 'escalated', dueAt: '2026-02-01T00:00:00.000Z' }],
        },
      ],
      held.all,
      withIds(preset, '2026-03-01T00:00:00.000Z'),
    ).plan,
  'it is withheld again': (held, id, preset) =>
    planReopening(id, true, held.all, withIds(preset), CURATOR),
};
const NAMES = Object.keys(STEPS);

function withheld(preset: GatePreset): { readonly held: Held; readonly id: string } {
  const held = new Held();
  const { id } = placed(held, preset);
  held.take(planReopening(id, true, held.all, withIds(preset), CURATOR));
  return { held, id };
}

describe.each(GATE_PRESETS)('under %s a withheld statement', (preset) => {
  test('is placed by nothing but the decision about its item', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...NAMES), { maxLength: 8 }), (names) => {
        const { held, id } = withheld(preset);
        for (const name of names) {
          held.take(STEPS[name]?.(held, id, preset) ?? null);
          const row = held.rows.get(id);
          expect([name, row === undefined ? null : standingOf(row.state)]).not.toEqual([
            name,
            'placed',
          ]);
          if (row?.state !== 'held') continue;
          // It is what its curator doubted, whatever is said meanwhile.
          const { isWithheld, sensitivity, targetLevel } = row;
          expect([name, isWithheld, sensitivity, targetLevel]).toEqual([
            name,
            true,
            'internal',
            'peer',
          ]);
        }
      }),
      { numRuns: sized({ short: 300, long: 5_000 }) },
    );
  });

  test.each(NAMES)('waits with its item after this: %s', (name) => {
    const { held, id } = withheld(preset);
    const before = held.rows.get(id);
    const plan = STEPS[name]?.(held, id, preset) ?? null;
    held.take(plan);
    const after = held.rows.get(id);
    const closes = (plan?.closings ?? []).some(
      ({ except, kind, statementId }) =>
        statementId === id &&
        (kind === 'revalidation' || (kind === null && !except.includes('revalidation'))),
    );
    // Only what ends it, or takes it to its subject's own question, ends the question.
    expect(closes).toBe(after?.state !== before?.state);
  });

  test('is placed again, at its place, by a yes to its item, and rejected by a no', () => {
    for (const [action, state] of [
      ['approve', 'active'],
      ['reject', 'rejected'],
    ] as const) {
      const { held, id } = withheld(preset);
      held.take(decided(action, itemOf({}))(held, id, preset));
      expect(held.rows.get(id)).toMatchObject({ state, scopeId: 'team', targetLevel: 'peer' });
    }
  });
});

test('a statement is asked about again, and withheld, only while it is placed', () => {
  const held = new Held();
  const one = placed(held, 'strict');
  const asked = (state: Statement['state'], withholds: boolean) =>
    planReopening(one.id, withholds, [{ ...one, state }], context(), CURATOR);
  for (const state of ['active', 'needs_revalidation', 'stale'] as const) {
    expect(asked(state, true)?.openings).toMatchObject([
      { kind: 'revalidation', reason: 'withheld_by_curator', dueHours: 336 },
    ]);
    expect(asked(state, false)).toMatchObject({
      changes: [],
      openings: [{ kind: 'revalidation', reason: 'reopened_by_curator' }],
    });
  }
  for (const state of ['provisional', 'held', 'contested', 'rejected', 'superseded'] as const) {
    expect([asked(state, true), asked(state, false)]).toEqual([null, null]);
  }
});

test('what a withheld statement had ended stands again meanwhile', () => {
  const held = new Held();
  held.take(planProposals([said({ n: 1, value: 'oslo', day: 1 })], [], context('unattended')));
  held.take(
    planProposals([said({ n: 2, value: 'rome', day: 2 })], held.all, withIds('unattended')),
  );
  const states = () => held.all.map(({ state }) => state);
  expect(states()).toEqual(['superseded', 'active']);
  const newer = held.all[1]?.id ?? '';
  held.take(planReopening(newer, true, held.all, withIds('unattended'), CURATOR));
  expect(states()).toEqual(['active', 'held']);
  held.take(decided('approve', itemOf({}))(held, newer, 'unattended'));
  expect(states()).toEqual(['superseded', 'active']);
});
