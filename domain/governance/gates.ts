/**
 * Gate A decides whether a proposal is kept, gate B whether it is placed where it asks to be. Both are one pure
 * function of the proposal's values and the rule of its cell. A run after a merge therefore has the same result as a
 * first run over the merged values.
 *
 *   refused before ........................................ held for a person, whatever the rule
 *   gate A rejects ........................................ rejected (restricted: withheld)
 *   kept, placed, and every threshold reached ............. active
 *   otherwise ............................. provisional at peer level, held above it; a person decides
 */
import type { Sensitivity, TargetLevel } from '../statements/candidate.ts';
import type { EvidenceLevel } from '../statements/confidence.ts';
import type { Verification } from '../statements/statement.ts';
import { presetRules } from './presets.ts';
import type { GateRule } from './rule-columns.ts';

/** A rule with the scope it was written for; null scopes are account-wide, null ids are built in. */
export interface PlacedRule extends GateRule {
  readonly id: string | null;
  readonly scopeId: string | null;
}

export interface GateInput {
  readonly targetLevel: TargetLevel;
  readonly sensitivity: Sensitivity;
  readonly evidenceLevel: EvidenceLevel;
  readonly confidence: number;
  readonly corroboration: number;
  readonly aboutPeer: boolean;
  readonly previouslyRefused: boolean;
  /** A curator withholds it until an item about it is decided. */
  readonly isWithheld: boolean;
}

export type GateReason =
  | 'previously_refused'
  | 'withheld_by_curator'
  | 'restricted_withheld'
  | 'rule_rejects'
  | 'rule_accepts'
  | 'person_decides'
  | 'sensitivity_not_placeable'
  | 'evidence_too_weak'
  | 'confidence_too_low'
  | 'corroboration_too_low'
  | 'consent_missing';

export interface GateVerdict {
  readonly gate: 'gate_a' | 'gate_b' | 'gate_a_b';
  readonly decision: 'keep' | 'reject' | 'defer' | 'place' | 'hold' | 'provisional' | 'withhold';
  readonly reason: GateReason;
}

export interface GateOutcome {
  readonly state: 'active' | 'provisional' | 'held' | 'rejected';
  readonly verification: Verification;
  readonly verdicts: readonly GateVerdict[];
  readonly ruleId: string | null;
  /** Hours that a person has to decide; null when no person has to. */
  readonly reviewDueHours: number | null;
  /** The subject's consent is owed and given by the account's policy: it is recorded as a row. */
  readonly automaticConsent: boolean;
  readonly revalidateAfterDays: number | null;
  readonly expiresAfterDays: number | null;
}

export interface ConsentPolicy {
  /** The account consents in its people's place (`consent_mode = auto`). */
  readonly automatic: boolean;
}

/** The rules of an account without rules: in every cell a person decides. */
const BUILT_IN: readonly PlacedRule[] = presetRules('strict').map((rule) => ({
  ...rule,
  id: null,
  scopeId: null,
}));

/**
 * The rule in force for a cell: the rule of the nearest scope of the chain (ids, outermost first), else the
 * account's, else the built-in one.
 */
export function ruleFor(
  rules: readonly PlacedRule[],
  chain: readonly string[],
  cell: { readonly targetLevel: TargetLevel; readonly sensitivity: Sensitivity },
): PlacedRule {
  const inCell = (rule: PlacedRule): boolean =>
    rule.targetLevel === cell.targetLevel && rule.sensitivity === cell.sensitivity;
  const candidates = rules.filter(inCell);
  for (const scopeId of chain.toReversed()) {
    const nearest = candidates.find((rule) => rule.scopeId === scopeId);
    if (nearest !== undefined) return nearest;
  }
  const rule = candidates.find((candidate) => candidate.scopeId === null) ?? BUILT_IN.find(inCell);
  if (rule === undefined) throw new TypeError('the built-in matrix has every cell');
  return rule;
}

const owesConsent = (input: GateInput, rule: GateRule): boolean =>
  input.aboutPeer &&
  input.targetLevel !== 'peer' &&
  (input.sensitivity === 'personal' || rule.requiresConsent);

/** Why a person has to decide, or null when the rule accepts. */
function objection(input: GateInput, rule: GateRule, consented: boolean): GateReason | null {
  if (rule.gateA !== 'auto_keep' || rule.gateB !== 'auto_place') return 'person_decides';
  if (input.sensitivity === 'restricted') return 'sensitivity_not_placeable';
  return shortfall(input, rule) ?? (consented ? null : 'consent_missing');
}

/**
 * The first requirement of the rule (evidence, confidence, corroboration) that the statement does not meet; null if it
 * meets all.
 */
export function shortfall(
  input: Pick<GateInput, 'evidenceLevel' | 'confidence' | 'corroboration'>,
  rule: GateRule,
): GateReason | null {
  if (rule.minimumEvidenceLevel === 'direct' && input.evidenceLevel !== 'direct') {
    return 'evidence_too_weak';
  }
  if (input.confidence < rule.minimumConfidence) return 'confidence_too_low';
  return input.corroboration < rule.minimumCorroboration ? 'corroboration_too_low' : null;
}

/** Runs both gates. */
export function passGates(input: GateInput, rule: PlacedRule, consent: ConsentPolicy): GateOutcome {
  const common = {
    ruleId: rule.id,
    reviewDueHours: rule.pendingMaxAgeHours,
    automaticConsent: false,
    revalidateAfterDays: null,
    expiresAfterDays: rule.expiresAfterDays,
  };
  // Its curator asked a person already: the gates ask nobody.
  if (input.isWithheld) {
    const reason = 'withheld_by_curator';
    return {
      ...common,
      reviewDueHours: null,
      state: 'held',
      verification: 'pending_human',
      verdicts: [{ gate: 'gate_a_b', decision: 'hold', reason }],
    };
  }
  if (input.previouslyRefused) {
    const reason = 'previously_refused';
    return {
      ...common,
      state: 'held',
      verification: 'pending_human',
      verdicts: [{ gate: 'gate_a_b', decision: 'hold', reason }],
    };
  }
  if (rule.gateA === 'auto_reject') return rejected(input, common);

  const owed = owesConsent(input, rule);
  const automatic = rule.automaticConsent || consent.automatic;
  const reason = objection(input, rule, !owed || automatic);
  if (reason === null) {
    return {
      ...common,
      state: 'active',
      verification: 'auto_verified',
      verdicts: [
        { gate: 'gate_a', decision: 'keep', reason: 'rule_accepts' },
        { gate: 'gate_b', decision: 'place', reason: 'rule_accepts' },
      ],
      reviewDueHours: null,
      automaticConsent: owed,
      revalidateAfterDays: rule.revalidateAfterDays,
    };
  }
  const state = input.targetLevel === 'peer' ? 'provisional' : 'held';
  const decision = state === 'held' ? 'hold' : 'provisional';
  return {
    ...common,
    state,
    verification: 'pending_human',
    verdicts: [
      { gate: 'gate_a', decision: 'defer', reason },
      { gate: 'gate_b', decision, reason },
    ],
  };
}

type Common = Omit<GateOutcome, 'state' | 'verification' | 'verdicts'>;

function rejected(input: GateInput, common: Common): GateOutcome {
  const verdict: GateVerdict =
    input.sensitivity === 'restricted'
      ? { gate: 'gate_a_b', decision: 'withhold', reason: 'restricted_withheld' }
      : { gate: 'gate_a', decision: 'reject', reason: 'rule_rejects' };
  return {
    ...common,
    state: 'rejected',
    verification: 'auto_rejected',
    verdicts: [verdict],
    reviewDueHours: null,
    expiresAfterDays: null,
  };
}
