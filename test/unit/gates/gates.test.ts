import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SENSITIVITIES, TARGET_LEVELS } from '../../../domain/statements/candidate.ts';
import {
  passGates,
  ruleFor,
  type GateInput,
  type PlacedRule,
} from '../../../domain/governance/gates.ts';
import { GATE_PRESETS, presetRules, type GatePreset } from '../../../domain/governance/presets.ts';

const BASE: GateInput = {
  targetLevel: 'peer',
  sensitivity: 'internal',
  evidenceLevel: 'direct',
  confidence: 1,
  corroboration: 1,
  aboutPeer: true,
  previouslyRefused: false,
  isWithheld: false,
};

function rulesOf(preset: GatePreset): PlacedRule[] {
  return presetRules(preset).map((rule, n) => ({ ...rule, id: `rule-${n}`, scopeId: null }));
}

function outcome(preset: GatePreset, values: Partial<GateInput> = {}, automatic = false) {
  const input = { ...BASE, ...values };
  return passGates(input, ruleFor(rulesOf(preset), ['/'], input), { automatic });
}

const input = fc.record({
  targetLevel: fc.constantFrom(...TARGET_LEVELS),
  sensitivity: fc.constantFrom(...SENSITIVITIES),
  evidenceLevel: fc.constantFrom('direct' as const, 'indirect' as const),
  confidence: fc.constantFrom(0.45, 0.6, 0.75, 0.8, 1),
  corroboration: fc.integer({ min: 1, max: 4 }),
  aboutPeer: fc.boolean(),
  previouslyRefused: fc.boolean(),
});

describe('strict', () => {
  test('places nothing: peer level is provisional, wider is held, and a person is asked in a week', () => {
    fc.assert(
      fc.property(input, (values) => {
        const result = outcome('strict', values);
        const waits = values.previouslyRefused || values.targetLevel !== 'peer';
        expect(result.state).toBe(waits ? 'held' : 'provisional');
        expect(result.verification).toBe('pending_human');
        expect(result.reviewDueHours).toBe(168);
      }),
    );
  });
});

describe('assisted', () => {
  test.each([
    ['what is direct and internal', {}, 'active', 'rule_accepts'],
    ['what is direct and public', { sensitivity: 'public' }, 'active', 'rule_accepts'],
    ['hearsay', { evidenceLevel: 'indirect' }, 'provisional', 'evidence_too_weak'],
    ['what is personal', { sensitivity: 'personal' }, 'provisional', 'person_decides'],
    ['what is restricted', { sensitivity: 'restricted' }, 'provisional', 'person_decides'],
    ['what is wider', { targetLevel: 'scope' }, 'held', 'person_decides'],
  ] as const)('%s', (_, values, state, reason) => {
    const result = outcome('assisted', values);
    expect(result.state).toBe(state);
    expect(result.verdicts.map((verdict) => verdict.reason)).toEqual([reason, reason]);
  });

  test('plans a revalidation for statements that it places', () => {
    expect(outcome('assisted').revalidateAfterDays).toBe(90);
    expect(outcome('assisted', { evidenceLevel: 'indirect' }).revalidateAfterDays).toBeNull();
  });
});

describe('unattended', () => {
  test.each([
    ['hearsay at peer level', { evidenceLevel: 'indirect' }, 'active'],
    ['a personal fact at peer level', { sensitivity: 'personal' }, 'active'],
    ['one voice at scope level', { targetLevel: 'scope' }, 'held'],
    ['two voices at scope level', { targetLevel: 'scope', corroboration: 2 }, 'active'],
    [
      'two voices of hearsay at scope level',
      { targetLevel: 'scope', corroboration: 2, evidenceLevel: 'indirect' },
      'held',
    ],
    ['what is restricted', { sensitivity: 'restricted' }, 'rejected'],
  ] as const)('%s', (_, values, state) => {
    expect(outcome('unattended', values).state).toBe(state);
  });

  test('records the consent it gives for a person', () => {
    const wider = { targetLevel: 'scope', corroboration: 2, sensitivity: 'personal' } as const;
    expect(outcome('unattended', wider).automaticConsent).toBe(true);
    expect(outcome('unattended', { ...wider, aboutPeer: false }).automaticConsent).toBe(false);
    expect(outcome('unattended', { sensitivity: 'personal' }).automaticConsent).toBe(false);
  });

  test('withholds a restricted statement, in a decision of its own', () => {
    const result = outcome('unattended', { sensitivity: 'restricted' });
    expect(result.verdicts).toEqual([
      { gate: 'gate_a_b', decision: 'withhold', reason: 'restricted_withheld' },
    ]);
    expect(result.reviewDueHours).toBeNull();
  });
});

describe('under every preset', () => {
  test('a statement that was refused before is held for a person', () => {
    fc.assert(
      fc.property(fc.constantFrom(...GATE_PRESETS), input, (preset, values) => {
        const result = outcome(preset, { ...values, previouslyRefused: true }, true);
        expect(result.state).toBe('held');
        expect(result.reviewDueHours).not.toBeNull();
      }),
    );
  });

  test('a restricted statement is never placed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...GATE_PRESETS), input, (preset, values) => {
        const result = outcome(preset, { ...values, sensitivity: 'restricted' }, true);
        expect(result.state).not.toBe('active');
      }),
    );
  });

  test('more evidence never removes a placement', () => {
    fc.assert(
      fc.property(fc.constantFrom(...GATE_PRESETS), input, (preset, values) => {
        fc.pre(outcome(preset, values).state === 'active');
        const more = { ...values, corroboration: values.corroboration + 1, confidence: 1 };
        expect(outcome(preset, { ...more, evidenceLevel: 'direct' }).state).toBe('active');
      }),
    );
  });
});

describe('the rule of a cell', () => {
  const [strict] = rulesOf('strict');
  if (strict === undefined) throw new Error('no rule');
  const at = (scopeId: string | null, id: string): PlacedRule => ({ ...strict, scopeId, id });
  const cell = { targetLevel: strict.targetLevel, sensitivity: strict.sensitivity };
  const chain = ['scope-root', 'scope-a', 'scope-b'];

  test('is the rule of the nearest scope, else of the account, else the built-in one', () => {
    const rules = [
      at(null, 'account'),
      at('scope-root', 'root'),
      at('scope-a', 'a'),
      at('scope-other', 'other'),
    ];
    expect(ruleFor(rules, chain, cell).id).toBe('a');
    expect(ruleFor(rules.slice(0, 2), chain, cell).id).toBe('root');
    expect(ruleFor(rules.slice(0, 1), chain, cell).id).toBe('account');
    expect(ruleFor([], chain, cell)).toMatchObject({ id: null, gateA: 'human', gateB: 'human' });
  });

  test('of another cell does not count', () => {
    const other = { ...at('scope-a', 'a'), sensitivity: 'restricted' as const };
    expect(ruleFor([other], chain, cell).id).toBeNull();
  });

  test('may require consent or confidence, and may expire statements that it accepts', () => {
    const rule: PlacedRule = {
      ...at(null, 'r'),
      gateA: 'auto_keep',
      gateB: 'auto_place',
      minimumCorroboration: 1,
      minimumConfidence: 0.8,
      requiresConsent: true,
      expiresAfterDays: 30,
    };
    const pass = (values: Partial<GateInput>, automatic = false) =>
      passGates({ ...BASE, ...values }, rule, { automatic });
    expect(pass({ confidence: 0.75 }).verdicts[0]?.reason).toBe('confidence_too_low');
    expect(pass({ targetLevel: 'scope' }).verdicts[0]?.reason).toBe('consent_missing');
    expect(pass({ targetLevel: 'scope' }, true)).toMatchObject({
      state: 'active',
      automaticConsent: true,
      expiresAfterDays: 30,
    });
  });
});
