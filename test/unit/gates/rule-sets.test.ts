import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { passGates, type PlacedRule } from '../../../domain/governance/gates.ts';
import { GATE_PRESETS, presetRules } from '../../../domain/governance/presets.ts';
import type { GateRule } from '../../../domain/governance/rule-columns.ts';
import {
  CELLS,
  placesRestricted,
  planRules,
  repeatedCells,
  rulesInForce,
} from '../../../domain/governance/rule-sets.ts';

const written = (rules: readonly GateRule[], scopeId: string | null = null): PlacedRule[] =>
  rules.map((rule, n) => ({ ...rule, id: `${scopeId ?? 'account'}-${n}`, scopeId }));

const [PUBLIC, INTERNAL] = presetRules('assisted');
if (PUBLIC === undefined || INTERNAL === undefined) throw new Error('no rules');

describe('a change of rules', () => {
  test('to what they are changes nothing, for every part of a preset', () => {
    const change = fc
      .constantFrom(...GATE_PRESETS)
      .chain((preset) => fc.tuple(fc.constant(preset), fc.subarray([...presetRules(preset)])));
    fc.assert(
      fc.property(change, ([preset, rules]) => {
        const known = written(presetRules(preset));
        expect(planRules(known, { rules, remove: [] })).toEqual({ retired: [], entered: [] });
      }),
    );
  });

  test('retires the rule of every cell that gets another one or loses it, and leaves the rest', () => {
    const known = written([PUBLIC, INTERNAL]);
    const other = { ...PUBLIC, minimumConfidence: 0.5 };
    expect(planRules(known, { rules: [other, INTERNAL], remove: [] })).toEqual({
      retired: ['account-0'],
      entered: [other],
    });
    expect(planRules(known, { rules: [], remove: [INTERNAL] })).toEqual({
      retired: ['account-1'],
      entered: [],
    });
  });

  test('takes nothing away where nothing is written, and enters what is new', () => {
    expect(planRules([], { rules: [PUBLIC], remove: [INTERNAL] })).toEqual({
      retired: [],
      entered: [PUBLIC],
    });
  });

  test('tells a change of any member', () => {
    const changes: Partial<GateRule>[] = [
      { gateA: 'human' },
      { gateB: 'human' },
      { minimumEvidenceLevel: 'indirect' },
      { minimumConfidence: 1 },
      { minimumCorroboration: 3 },
      { requiresConsent: true },
      { automaticConsent: true },
      { pendingMaxAgeHours: 1 },
      { revalidateAfterDays: null },
      { expiresAfterDays: 1 },
    ];
    for (const change of changes) {
      const rules = [{ ...PUBLIC, ...change }];
      expect(planRules(written([PUBLIC]), { rules, remove: [] }).entered).toEqual(rules);
    }
  });
});

test('cells that are named twice are found, and no others', () => {
  expect(repeatedCells(CELLS)).toEqual([]);
  expect(repeatedCells([PUBLIC, INTERNAL, PUBLIC, PUBLIC])).toEqual([2, 3]);
});

test('what is in force is one rule for each cell: of the nearest scope, the account, or built in', () => {
  const near = written([{ ...PUBLIC, minimumConfidence: 0.9 }], 'team');
  const rules = [...near, ...written([PUBLIC, INTERNAL])];
  const at = (chain: readonly string[]) =>
    rulesInForce(rules, chain).map(({ id, scopeId }) => [id, scopeId]);
  expect(at(['root', 'team', 'deep']).slice(0, 3)).toEqual([
    ['team-0', 'team'],
    ['account-1', null],
    [null, null],
  ]);
  expect(at([]).slice(0, 2)).toEqual([
    ['account-0', null],
    ['account-1', null],
  ]);
  expect(at(['root'])).toHaveLength(12);
});

test('only a rule that places what is restricted is none that may stand, and the gates would not follow it', () => {
  for (const cell of CELLS) {
    const rule = { ...PUBLIC, ...cell };
    expect(placesRestricted(rule)).toBe(cell.sensitivity === 'restricted');
    const input = {
      ...cell,
      evidenceLevel: 'direct',
      confidence: 1,
      corroboration: 9,
      aboutPeer: false,
      previouslyRefused: false,
      isWithheld: false,
    } as const;
    const { state } = passGates(input, { ...rule, id: null, scopeId: null }, { automatic: true });
    expect(state === 'active').toBe(!placesRestricted(rule));
  }
});
