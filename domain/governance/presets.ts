/**
 * The three governance presets as data: what the two gates do in each of the 12 cells (placement level by
 * sensitivity). A preset becomes rule rows of an account; rules nearer in the scope tree win over them.
 *
 *   strict      every cell waits for a person
 *   assisted    a public or internal statement, said directly and placed with the person itself, is kept
 *   unattended  no person reviews: public, internal and personal are placed on evidence (personal with
 *               automatic consent), restricted is withheld, and nothing waits to be looked at again
 */
import {
  SENSITIVITIES,
  TARGET_LEVELS,
  type Sensitivity,
  type TargetLevel,
} from '../statements/candidate.ts';
import type { GateRule } from './rule-columns.ts';

export const GATE_PRESETS = ['strict', 'assisted', 'unattended'] as const;
export type GatePreset = (typeof GATE_PRESETS)[number];

function waitsForPerson(targetLevel: TargetLevel, sensitivity: Sensitivity): GateRule {
  const wider = targetLevel !== 'peer';
  return {
    targetLevel,
    sensitivity,
    gateA: 'human',
    gateB: 'human',
    minimumEvidenceLevel: 'direct',
    minimumConfidence: 0,
    minimumCorroboration: wider ? 2 : 1,
    requiresConsent: wider && sensitivity === 'personal',
    automaticConsent: false,
    pendingMaxAgeHours: 168,
    revalidateAfterDays: 90,
    expiresAfterDays: null,
  };
}

function assisted(rule: GateRule): GateRule {
  const shareable = rule.sensitivity === 'public' || rule.sensitivity === 'internal';
  return rule.targetLevel === 'peer' && shareable
    ? { ...rule, gateA: 'auto_keep', gateB: 'auto_place' }
    : rule;
}

function unattended(reviewed: GateRule): GateRule {
  const rule: GateRule = { ...reviewed, revalidateAfterDays: null };
  if (rule.sensitivity === 'restricted') return { ...rule, gateA: 'auto_reject' };
  return {
    ...rule,
    gateA: 'auto_keep',
    gateB: 'auto_place',
    minimumEvidenceLevel: rule.targetLevel === 'peer' ? 'indirect' : 'direct',
    automaticConsent: rule.requiresConsent,
  };
}

const REFINEMENTS: Readonly<Record<GatePreset, (rule: GateRule) => GateRule>> = {
  strict: (rule) => rule,
  assisted,
  unattended,
};

/**
 * The 12 account-wide rules of a preset, by level and then sensitivity. They are written into an account when it is made
 * and when its preset changes: a change here reaches existing accounts only by a migration.
 */
export function presetRules(preset: GatePreset): readonly GateRule[] {
  return TARGET_LEVELS.flatMap((level) =>
    SENSITIVITIES.map((sensitivity) => REFINEMENTS[preset](waitsForPerson(level, sensitivity))),
  );
}
