/** What a speaker plans, promises, hopes for and looks forward to. */
import { wordSet } from '../../../domain/text/word-set.ts';
import type { Word } from '../../english/tagger.ts';
import type { ClauseReading } from '../clause/reading.ts';
import { isNoun } from '../clause/words.ts';
import {
  addresses,
  hasModal,
  hasWill,
  informative,
  isLed,
  isNameOrNumber,
  isNegated,
  type Predicate,
} from './predicate.ts';
import type { WorthRule } from './rules.ts';

const isNegatedWait = (reading: ClauseReading): boolean =>
  reading.words[reading.main]?.lower === 'wait' && isNegated(reading);

/** "Can't wait to go on a hike": what is looked forward to, unless it is to see or to hear what the other has to show. */
export function awaits({ reading }: Predicate): boolean {
  const { main, words } = reading;
  const to = words.findIndex(({ lower }, i) => i > main && lower === 'to');
  if (!isNegatedWait(reading) || to === -1) return false;
  const [act, ...object] = words.slice(to + 1);
  const isShown =
    /^(?:see|hear|know|find|read|check|be|meet|have|get|start|try|show|share|hit|do|make)$/u.test(
      act?.lower ?? '',
    ) &&
    (!object.some(isNameOrNumber) || addresses(object));
  return act !== undefined && !isShown && object.some(isNoun) && informative([act, ...object]) > 0;
}

const NEAR = /^(?:tomorrow|tonight|next|this|weekend)$/u;

/** "Can't wait for tomorrow's opening": what is looked forward to, when it has a name or a time. */
export function awaitsThing({ content, complement, reading }: Predicate): boolean {
  const object = complement[0]?.lower === 'for' ? complement.slice(1) : [];
  const isTold = object.some((word) => isNameOrNumber(word) || NEAR.test(word.lower));
  return isNegatedWait(reading) && content > 1 && isTold && object.some(isNoun);
}

const GIVING = wordSet('send show bring teach lend give make cook bake buy');

/** "I'll send you the recipes": what is promised, when it is a thing. */
export function promises(said: Predicate): boolean {
  const { complement, lemma, reading } = said;
  const [you, ...thing] = complement;
  const isToYou = you?.lower === 'you' && GIVING.has(lemma) && hasWill(reading);
  const isThing = !/^(?:ADP|ADV|PART|SCONJ)$/u.test(thing[0]?.pos ?? 'ADP');
  return isToYou && isThing && !addresses(thing) && informative(thing.filter(isNoun)) > 0;
}

/** In words that say something. */
const LEAST_OF_OFFER = 2;

/** "I could help you with painting the shed": what is offered, when it is something in particular. */
export function offers({ act, reading }: Predicate): boolean {
  const { words } = reading;
  const help = words.findIndex(({ lower }, i) => i >= reading.main && i <= act && lower === 'help');
  const [you, ...deed] = words.slice(help + 1);
  const isOffered = help !== -1 && you?.lower === 'you' && (hasModal(reading) || hasWill(reading));
  return isOffered && informative(deed) >= LEAST_OF_OFFER;
}

export const hopesFor = ([first, ...object]: readonly Word[]): boolean =>
  first?.lower === 'for' && object.some(isNoun);

/** What is hoped for may stand before it: "Between rest and yoga, I'm hoping for some changes". */
export function ofHope({ reading: { words } }: Predicate): WorthRule | null {
  return informative(words) > 0 && !addresses(words) ? 'plan' : null;
}

/** A plan says two words, or names a thing: "I'm going to make an appointment". */
export function isPlanned({ complement, content, named }: Predicate): boolean {
  return (
    content + named >= 2 || (content + named === 1 && informative(complement.filter(isNoun)) > 0)
  );
}

/** "I wanted to tell you about my day": what is told comes, or does not. */
export const announces = (said: Predicate): boolean =>
  isLed(said) &&
  /^(?:want|wanna)$/u.test(said.first) &&
  /^(?:tell|ask|talk|chat|share|show|fill|say|mention)$/u.test(said.lemma);

/** "We should go to Riga in May": what two could do, when it is more than an idea. */
export function proposes({ content, named, reading }: Predicate): boolean {
  return reading.subject === 'group' && hasModal(reading) && content + named > 2;
}
