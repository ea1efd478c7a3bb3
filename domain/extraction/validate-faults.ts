/**
 * What can be wrong with a proposed statement. A fault names a position, a field and a code of this list,
 * never the text, so a fault list may be counted and logged; its explanation is for the model that repairs.
 */

const FAULT_CODES = [
  'no_object',
  'anchor_not_answered',
  'wrong_shape',
  'text_unreadable',
  'text_too_long',
  'unknown_source',
  'source_not_evidence',
  'anchor_not_cited',
  'span_not_verbatim',
  'span_only_asks',
  'statement_asks',
  'statement_reports_speech',
  'statement_in_first_person',
  'statement_about_assistant',
  'statement_unclear',
  'statement_addresses',
  'statement_without_fact',
  'date_unsupported',
  'unknown_subject',
  'subject_is_agent',
  'subject_not_speaker',
  'subject_wrong_scope',
  'scope_from_first_person',
  'restricted_scope',
  'window_not_a_date',
  'window_reversed',
] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

export interface Fault {
  /** Position among the anchor's statements, from 0; null for the anchor's answer as a whole. */
  readonly item: number | null;
  /** Field as the answer spells it; empty for the item as a whole. */
  readonly field: string;
  readonly code: FaultCode;
}

/** A fault of one candidate, before its position is known. */
export type CandidateFault = Omit<Fault, 'item'>;

const EXPLANATIONS: Readonly<Record<FaultCode, string>> = {
  no_object: 'The answer holds no JSON object with an "answers" list.',
  anchor_not_answered: 'The answer holds no entry for this anchor with a "statements" list.',
  wrong_shape: 'The field is missing, superfluous or of the wrong type.',
  text_unreadable: 'The text holds too few letters or digits to be read.',
  text_too_long: 'The text is too long; one claim needs one short sentence.',
  unknown_source: 'Cite ids of the given messages only.',
  source_not_evidence: 'Messages marked as context only cannot be cited.',
  anchor_not_cited: 'Every statement must cite the anchor message.',
  span_not_verbatim: 'Copy the span character by character from one cited message.',
  span_only_asks: 'The claim rests on a question alone; a question asserts nothing.',
  statement_asks: 'State the claim; do not ask.',
  statement_reports_speech: 'State the fact itself, not that somebody said it.',
  statement_in_first_person: 'Name the person; do not write in the first person.',
  statement_about_assistant: 'Leave out the assistant that carried or answered the message.',
  statement_unclear:
    'Name what the first word stands for; leave the statement out if the messages do not tell.',
  statement_addresses: 'Name the person; a "you" that may be anybody makes no statement.',
  statement_without_fact:
    'Thanks, praise, wishes and agreement are no facts; leave the statement out.',
  date_unsupported: 'The date is neither written in a cited message nor follows from one.',
  unknown_subject: 'Name a peer_key of the given people.',
  subject_is_agent: 'An agent that only carries or answers messages is no subject.',
  subject_not_speaker: 'The span speaks in the first person: its speaker is the subject.',
  subject_wrong_scope: "A scope subject must be the anchor's scope_path.",
  scope_from_first_person: 'A span in the first person is about its speaker, not about the scope.',
  restricted_scope: 'A restricted statement cannot be about a scope.',
  window_not_a_date: 'Write YYYY, YYYY-MM, YYYY-MM-DD or a date-time with offset, or null.',
  window_reversed: 'relevant_from must be before relevant_until.',
};

/** One sentence for the model that is asked to repair its answer. */
export function explainFault(code: FaultCode): string {
  return EXPLANATIONS[code];
}
