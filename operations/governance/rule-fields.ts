/** Gate rules as callers write and read them. */
import { z } from 'zod';
import { SENSITIVITIES, TARGET_LEVELS } from '../../domain/extraction/candidate.ts';
import type { PlacedRule } from '../../domain/governance/gates.ts';
import type { GateRule } from '../../domain/governance/presets.ts';
import type { Cell } from '../../domain/governance/rule-sets.ts';

const MOST_CORROBORATION = 1_000;
const MOST_PENDING_HOURS = 8_760;
const MOST_RULE_DAYS = 36_500;

export const cellFields = {
  target_level: z.enum(TARGET_LEVELS),
  sensitivity: z.enum(SENSITIVITIES),
};

/** What a rule says of its cell, each as it must be given. Absent days are "never". */
export const ruleFields = {
  gate_a: z
    .enum(['auto_keep', 'auto_reject', 'human'])
    .describe('Whether a statement is kept: by itself, never, or as a person decides.'),
  gate_b: z
    .enum(['auto_place', 'human'])
    .describe(
      'Whether what is kept is placed where it asks to be. What is restricted is never placed by itself.',
    ),
  minimum_evidence_level: z.enum(['direct', 'indirect']),
  minimum_confidence: z.number().min(0).max(1),
  minimum_corroboration: z
    .int()
    .min(1)
    .max(MOST_CORROBORATION)
    .describe('Speakers and documents that say it, each counted once.'),
  requires_consent: z
    .boolean()
    .describe(
      'Whether a statement about a person needs that person to agree to a place wider than peer level. What is personal always does.',
    ),
  automatic_consent: z.boolean().describe('The account agrees in the place of the person.'),
  pending_max_age_hours: z
    .int()
    .min(1)
    .max(MOST_PENDING_HOURS)
    .describe('When a person who is asked should have decided.'),
  revalidate_after_days: daysField(
    'After how many days what was placed has to be confirmed again.',
  ),
  expires_after_days: daysField('After how many days it is no longer shown.'),
};

function daysField(description: string) {
  return z
    .int()
    .min(1)
    .max(MOST_RULE_DAYS)
    .nullish()
    .transform((days) => days ?? null)
    .meta({ description: `${description} Absent: never.` });
}

export const cellInput = z.object(cellFields).meta({ id: 'GateCell' });
export const ruleInput = z.object({ ...cellFields, ...ruleFields }).meta({ id: 'GateRuleInput' });
export type RuleInput = z.output<typeof ruleInput>;

const days = z.int().nullable();
export const ruleOutput = z
  .object({
    ...cellFields,
    ...ruleFields,
    revalidate_after_days: days,
    expires_after_days: days,
  })
  .meta({ id: 'GateRule' });

/** What is said of `gate_b` where it would place what is restricted. */
export const NOT_PLACED_BY_ITSELF = 'must be human where the sensitivity is restricted';

export function toCell(input: z.output<typeof cellInput>): Cell {
  return { targetLevel: input.target_level, sensitivity: input.sensitivity };
}

/** The rule that a caller gave. */
export function toRule(input: RuleInput): GateRule {
  return {
    ...toCell(input),
    gateA: input.gate_a,
    gateB: input.gate_b,
    minimumEvidenceLevel: input.minimum_evidence_level,
    minimumConfidence: input.minimum_confidence,
    minimumCorroboration: input.minimum_corroboration,
    requiresConsent: input.requires_consent,
    automaticConsent: input.automatic_consent,
    pendingMaxAgeHours: input.pending_max_age_hours,
    revalidateAfterDays: input.revalidate_after_days,
    expiresAfterDays: input.expires_after_days,
  };
}

/** The rule as a caller is shown it, and could give it again. */
export function shownRule(rule: GateRule | PlacedRule): RuleInput {
  return {
    target_level: rule.targetLevel,
    sensitivity: rule.sensitivity,
    gate_a: rule.gateA,
    gate_b: rule.gateB,
    minimum_evidence_level: rule.minimumEvidenceLevel,
    minimum_confidence: rule.minimumConfidence,
    minimum_corroboration: rule.minimumCorroboration,
    requires_consent: rule.requiresConsent,
    automatic_consent: rule.automaticConsent,
    pending_max_age_hours: rule.pendingMaxAgeHours,
    revalidate_after_days: rule.revalidateAfterDays,
    expires_after_days: rule.expiresAfterDays,
  };
}
