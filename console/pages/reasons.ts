/** Why an item waits, in words. */
import type { GateReason } from '../../domain/governance/gates.ts';
import type { TransitionReason } from '../../domain/knowledge/plan.ts';
import { plainCode } from '../design/words.ts';

const GATE_WORDS: Readonly<Record<GateReason, string>> = {
  previously_refused: 'a similar statement was refused before',
  withheld_by_curator: 'a curator doubts it, and withholds it until somebody has decided',
  restricted_withheld: 'the rules withhold restricted statements',
  rule_rejects: 'the rule rejects it',
  rule_accepts: 'the rule accepts it',
  person_decides: 'the rule asks a person to decide',
  sensitivity_not_placeable: 'it is too sensitive to be placed without a person',
  evidence_too_weak: 'its subject did not say it',
  confidence_too_low: 'its confidence is too low',
  corroboration_too_low: 'too few speakers and documents attest it',
  consent_missing: 'the person it is about has not agreed',
};

const OTHER_WORDS: Readonly<Partial<Record<TransitionReason, string>> & Record<string, string>> = {
  promotion: 'a curator asks to share it more widely',
  reopened_by_curator: 'a curator asks again whether it is true',
  contradicts_higher_standing: 'it contradicts a better attested statement',
  contradiction_ended: 'the statement that it contradicted has ended',
  said_to_be_more_sensitive: 'a source calls it more sensitive',
  revalidation_due: 'it was last confirmed too long ago',
  subject_contested: 'the person it is about disputes it',
  curator_approved: 'a curator approved it',
  curator_rejected: 'a curator rejected it',
  curator_edited: 'a curator reworded it',
  curator_merged: 'a curator merged it',
  subject_confirmed: 'the person it is about confirmed it',
  withdrawn_by_speaker: 'whoever said it took it back',
};

const WORDS: Readonly<Record<string, string>> = { ...GATE_WORDS, ...OTHER_WORDS };

/** The words for a reason; those of a code that has none are the code itself. */
export function reasonWords(code: string): string {
  return Object.hasOwn(WORDS, code) ? (WORDS[code] ?? '') : plainCode(code);
}
