/** How sensitive a sentence is, by its words. English; of other languages the shapes of secrets and amounts count. */
import { SENSITIVITIES, type Sensitivity } from '../statements/candidate.ts';
import { asksForDiscretion } from './marks.ts';
import { isPersonal } from './personal.ts';
import { givesSecret } from './secrets.ts';

/** Secrets are restricted; health, money, belief, love, origin and what is asked to be kept are personal. */
export function sensitivityOf(sentence: string): Sensitivity {
  if (givesSecret(sentence)) return 'restricted';
  return isPersonal(sentence) || asksForDiscretion(sentence) ? 'personal' : 'internal';
}

/** The more sensitive of two. */
export function moreSensitive(one: Sensitivity, other: Sensitivity): Sensitivity {
  return SENSITIVITIES.indexOf(one) > SENSITIVITIES.indexOf(other) ? one : other;
}
