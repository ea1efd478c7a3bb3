/** Past forms of English verbs, by their looks. */
import { VERB_BASE } from './irregular.ts';

const NOT_PAST = new Set(['need', 'feed', 'speed', 'indeed', 'bed', 'red', 'kid', 'excited']);

/** Whether a lower-case word is a past form: irregular, or regular by its ending. */
export function isPastForm(word: string): boolean {
  if (VERB_BASE.has(word) || word === 'was' || word === 'were') return true;
  return word.endsWith('ed') && word.length > 4 && !NOT_PAST.has(word);
}
