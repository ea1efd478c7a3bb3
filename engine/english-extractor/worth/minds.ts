/** What a speaker remembers, feels, thinks and hears, where it is worth a statement. */
import { isTimeNoun } from '../clause/opening.ts';
import { isNoun } from '../clause/words.ts';
import { SOCIAL } from './lexicon.ts';
import { addresses, informative, namesOwn, type Predicate } from './predicate.ts';
import type { WorthRule } from './rules.ts';

/** "I remember our trip to Riga", "I'll never forget the day my son was born". */
function remembers({ complement, content, isPast, lemma, reading }: Predicate): boolean {
  const { main, verb, words } = reading;
  const never = words.slice(verb, main).some(({ lower }) => lower === 'never');
  const isKept = lemma === 'forget' ? never && content > 1 : lemma === 'remember' && content > 2;
  // "I was just remembering the day with my family".
  const isNow = !isPast || words[main]?.lower.endsWith('ing') === true;
  return isKept && isNow && namesOwn(complement);
}

const LATELY = /^(?:lately|recently|nowadays)$/u;

const feels = ({ complement, content }: Predicate): boolean =>
  content > 0 &&
  complement.some((word) => isNoun(word) || LATELY.test(word.lower)) &&
  !addresses(complement);

/** "Last Friday at dance class with friends I felt it": the time and the place tell what happened. */
export function isSet({ isPast, reading: { from, words } }: Predicate): boolean {
  const setting = words.slice(0, from);
  const isPlace = setting.some(
    ({ lower }, i) => /^(?:at|in|on)$/u.test(lower) && informative(setting.slice(i + 1)) > 1,
  );
  return isPast && isPlace && setting.some(isTimeNoun);
}

/** Thinks, remembers, hears: worth a statement where it is a deed or says what is remembered. */
export function ofMind(said: Predicate): WorthRule | null {
  const { content, lemma, named, reading } = said;
  if (lemma === 'feel') return feels(said) ? 'feeling' : null;
  const isDeed = SOCIAL.has(lemma) && content > 1 && !addresses(reading.words);
  const isKnown = lemma === 'know' && named > 0;
  return isDeed || isKnown || remembers(said) ? 'event' : null;
}
