/** Why an item waits, in words. */
import type { GateReason } from '../../../domain/governance/gates.ts';
import type { TransitionReason } from '../../../domain/knowledge/plan.ts';
import { plainCode } from '../../design/words.ts';

const GATE_WORDS: Readonly<Record<GateReason, string>> = {
  previously_refused: 'something alike was refused before',
  restricted_withheld: 'what is restricted is withheld',
  rule_rejects: 'the rule rejects it',
  rule_accepts: 'the rule accepts it',
  person_decides: 'the rule leaves it to a person',
  sensitivity_not_placeable: 'it is too sensitive to be placed by itself',
  evidence_too_weak: 'nobody said it of themselves',
  confidence_too_low: 'it is not sure enough',
  corroboration_too_low: 'too few attest it',
  consent_missing: 'the person it is about has not agreed',
};

const OTHER_WORDS: Readonly<Partial<Record<TransitionReason, string>> & Record<string, string>> = {
  promotion: 'a curator asks to share it more widely',
  contradicts_higher_standing: 'it contradicts what is better attested',
  contradiction_ended: 'what it contradicted is over',
  said_to_be_more_sensitive: 'somebody called it more sensitive',
  revalidation_due: 'it was confirmed too long ago',
  subject_contested: 'the person it is about disputes it',
  curator_approved: 'a curator approved it',
  curator_rejected: 'a curator rejected it',
  curator_edited: 'a curator put it into other words',
  curator_merged: 'a curator merged it',
  subject_confirmed: 'the person it is about confirmed it',
};

const WORDS: Readonly<Record<string, string>> = { ...GATE_WORDS, ...OTHER_WORDS };

/** The words for a reason; those of a code that has none are the code itself. */
export function reasonWords(code: string): string {
  return Object.hasOwn(WORDS, code) ? (WORDS[code] ?? '') : plainCode(code);
}
