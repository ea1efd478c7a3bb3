/** What an answer to a question does. One table; `operations/questions/resolve.ts` carries it out. */
import {
  MOST_SKIPS,
  type AskedKind,
  type AnswerVerdict,
  type AnswerVerification,
} from './words.ts';

export const ANSWER_EFFECTS = [
  'consent_granted',
  'consent_denied',
  'knowledge_confirmed',
  'knowledge_retracted',
  'timer_deferred_only',
  'unsure_closed',
  'pending_after_skip',
  'escalated_to_curator',
] as const;
export type AnswerEffect = (typeof ANSWER_EFFECTS)[number];

/** Whether the question ends with the effect. An answer that nobody can verify leaves it open for one that somebody can. */
export const ENDS: Readonly<Record<AnswerEffect, boolean>> = {
  consent_granted: true,
  consent_denied: true,
  knowledge_confirmed: true,
  knowledge_retracted: true,
  timer_deferred_only: false,
  unsure_closed: true,
  pending_after_skip: false,
  escalated_to_curator: true,
};

const CONFIRMED: Readonly<Record<AskedKind, AnswerEffect>> = {
  confirm: 'knowledge_confirmed',
  revalidate: 'knowledge_confirmed',
  consent_upward: 'consent_granted',
};
const REJECTED: Readonly<Record<AskedKind, AnswerEffect>> = {
  confirm: 'knowledge_retracted',
  revalidate: 'knowledge_retracted',
  consent_upward: 'consent_denied',
};

/** `skips` counts those before. */
export function effectOf(
  { kind, skips }: { readonly kind: AskedKind; readonly skips: number },
  verdict: AnswerVerdict,
  verification: AnswerVerification,
): AnswerEffect {
  switch (verdict) {
    case 'unsure':
      // What nobody else can verify ends no question: an agent may say it of anybody.
      return verification === 'verified' ? 'unsure_closed' : 'timer_deferred_only';
    case 'skip':
      return skips + 1 >= MOST_SKIPS ? 'escalated_to_curator' : 'pending_after_skip';
    case 'confirm':
      return verification === 'verified' ? CONFIRMED[kind] : 'timer_deferred_only';
    case 'reject':
      return verification === 'verified' ? REJECTED[kind] : 'timer_deferred_only';
  }
}
