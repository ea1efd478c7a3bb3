import { describe, expect, test } from '@jest/globals';
import { GATE_PRESETS, presetRules, type GatePreset } from '../../../domain/governance/presets.ts';
import type { GateRule } from '../../../domain/governance/rule-columns.ts';
import { SENSITIVITIES, TARGET_LEVELS } from '../../../domain/statements/candidate.ts';

function inWords(rule: GateRule): string {
  const evidence = `${rule.minimumEvidenceLevel} ${rule.minimumCorroboration}`;
  if (rule.gateA === 'auto_reject') return 'withheld';
  if (rule.gateA === 'human' || rule.gateB === 'human') return 'a person';
  return `placed from ${evidence}${rule.automaticConsent ? ', consent automatic' : ''}`;
}

const DIRECT = 'placed from direct 1';
const INDIRECT = 'placed from indirect 1';
const TWICE = 'placed from direct 2';
const CONSENT = `${TWICE}, consent automatic`;
const PERSON = 'a person';

/** Public, internal, personal, restricted, at each level. */
const MATRICES: Readonly<Record<GatePreset, readonly (readonly string[])[]>> = {
  strict: [
    [PERSON, PERSON, PERSON, PERSON],
    [PERSON, PERSON, PERSON, PERSON],
    [PERSON, PERSON, PERSON, PERSON],
  ],
  assisted: [
    [DIRECT, DIRECT, PERSON, PERSON],
    [PERSON, PERSON, PERSON, PERSON],
    [PERSON, PERSON, PERSON, PERSON],
  ],
  unattended: [
    [INDIRECT, INDIRECT, INDIRECT, 'withheld'],
    [TWICE, TWICE, CONSENT, 'withheld'],
    [TWICE, TWICE, CONSENT, 'withheld'],
  ],
};

describe.each(GATE_PRESETS)('the preset %s', (preset) => {
  const rules = presetRules(preset);

  test('decides each of the 12 cells once', () => {
    const cells = rules.map((rule) => `${rule.targetLevel} ${rule.sensitivity}`);
    expect(cells).toEqual(
      TARGET_LEVELS.flatMap((level) => SENSITIVITIES.map((word) => `${level} ${word}`)),
    );
  });

  test('decides them as declared', () => {
    expect(
      TARGET_LEVELS.map((level) => rules.filter((rule) => rule.targetLevel === level).map(inWords)),
    ).toEqual(MATRICES[preset]);
  });

  test('asks for consent exactly where something personal goes beyond the person', () => {
    for (const rule of rules) {
      expect(rule.requiresConsent).toBe(
        rule.sensitivity === 'personal' && rule.targetLevel !== 'peer',
      );
      expect(rule.automaticConsent && !rule.requiresConsent).toBe(false);
    }
  });

  test('never places a restricted statement', () => {
    for (const rule of rules.filter(({ sensitivity }) => sensitivity === 'restricted')) {
      expect([rule.gateA, rule.gateB]).not.toEqual(['auto_keep', 'auto_place']);
    }
  });
});
