/** Whether a clause of the speaker's is meant for the listener, or for anybody. */
import { isPastForm } from '../../../domain/text/past-form.ts';
import type { Word } from '../../english/tagger.ts';
import { isNoun } from '../clause/words.ts';
import { LIKING, MENTAL, TELLING } from './lexicon.ts';
import { addresses, hasModal, hasWill, type Predicate } from './predicate.ts';

/** "The book you recommended", "what you said": "you" only tells which one. */
function isOfWhich(words: readonly Word[], you: number): boolean {
  const [noun, verb] = [words[you - 1], words[you + 1]];
  const isWhich = noun !== undefined && (isNoun(noun) || noun.lower === 'what');
  return isWhich && isPastForm(verb?.lower ?? '');
}

/** "You can always improve your skills": nobody in particular. */
export function speaksToAnybody({ reading: { words } }: Predicate): boolean {
  return words.some(
    ({ lower }, i) =>
      lower === 'you' &&
      i > 0 &&
      !isOfWhich(words, i) &&
      ['ADV', 'AUX', 'VERB'].includes(words[i + 1]?.pos ?? ''),
  );
}

/** Whether "you" is whom the clause is about; it is not in "I have a soup recipe that I can share with you". */
export function isToListener({ content, first, isPast, reading }: Predicate): boolean {
  const { from, main } = reading;
  const words = reading.words.filter((_, i, all) => LIKING.has(first) || !isOfWhich(all, i));
  if (!addresses(words.slice(from))) return false;
  if (MENTAL.has(first) || TELLING.has(first)) return true;
  if (isPast) return content < 2;
  const isNear = addresses(words.slice(from, main + 5));
  return isNear || content < 3 || hasModal(reading) || hasWill(reading);
}
