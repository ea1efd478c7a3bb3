/** What a clause says of its subject, as far as the rules of worth ask. */
import { isPastForm } from '../../../domain/text/past-form.ts';
import { wordSet } from '../../../domain/text/word-set.ts';
import { loadTagger, type Word } from '../../english/tagger.ts';
import type { ClauseReading } from '../clause/reading.ts';
import { isNoun } from '../clause/words.ts';
import { isBaseVerb } from '../verbs.ts';
import { informativeWords } from '../vague.ts';
import {
  ASPECT,
  BE,
  EVALUATIVE,
  FIRST_NAMES,
  LIKING,
  LINKING,
  MODAL,
  MOOD,
  OWN,
} from './lexicon.ts';

export interface Predicate {
  readonly reading: ClauseReading;
  /** The verb behind those that only lead to it, as an index and as its base form. */
  readonly act: number;
  readonly lemma: string;
  /** The base form of the first verb. */
  readonly first: string;
  readonly isPast: boolean;
  /** Words of the predicate that are not vague. */
  readonly content: number;
  /** Names and numbers behind the verb, one for all. */
  readonly named: number;
  readonly complement: readonly Word[];
  /** Whether the subject is known to be a name. */
  readonly isOfName: boolean;
}

const CONTENT = new Set(['NOUN', 'VERB', 'ADJ', 'ADV', 'PROPN', 'NUM']);
const YOU = /^(?:you|your|yours|yourself|ya|u)$/u;
const PASSES = /^(?:to|about|of|forward|on|able|in|up|at|out)$/u;
/** Verbs that lead to another one stand before it this often. */
const MOST_STEPS = 5;
const REACH = 5;

/** How many of the words say something of their own. */
export function informative(words: readonly Word[]): number {
  const text = words.filter(({ pos }) => CONTENT.has(pos)).map((word) => word.text);
  return informativeWords(text.join(' '));
}

export const addresses = (words: readonly Word[]): boolean =>
  words.some(({ lower }) => YOU.test(lower));
export const namesOwn = (words: readonly Word[]): boolean =>
  words.some(({ lower }) => OWN.has(lower));
export const isNameOrNumber = ({ pos }: Word): boolean => pos === 'PROPN' || pos === 'NUM';
const isAdjectival = ({ lower }: Word): boolean => MOOD.has(lower) || EVALUATIVE.has(lower);

/** Whether the word is a name, and has its capital not only because it opens the clause. */
export function isName(word: Word, words: readonly Word[]): boolean {
  if (word.pos !== 'PROPN') return false;
  const opens = word === words[0] && word.known && word.text !== word.text.toUpperCase();
  return !(opens && loadTagger().knows(word.lower) && !FIRST_NAMES.has(word.lower));
}

export function lemmaAt(words: readonly Word[], at: number): string {
  const word = words[at];
  if (word === undefined) return '';
  if (BE.has(word.lower)) return 'be';
  const stem = word.lower.replace(/ing$/u, '');
  return word.pos === 'NOUN' && isBaseVerb(stem) ? stem : word.lemma;
}

/** The verb that directly follows: "to go", "going", "about going", "forward to going". */
function nextVerb(words: readonly Word[], at: number): number | null {
  for (let i = at + 1; i < Math.min(words.length, at + REACH); i += 1) {
    const word = words[i];
    if (word === undefined) return null;
    if (word.pos === 'VERB') {
      const isLed = words[i - 1]?.lower === 'to' || word.lower.endsWith('ing');
      return isLed || lemmaAt(words, at) === 'help' ? i : null;
    }
    if (word.pos !== 'ADV' && word.pos !== 'PART' && !PASSES.test(word.lower)) return null;
  }
  return null;
}

function actOf({ main, words }: ClauseReading): number {
  let act = main;
  for (let steps = 0; steps < MOST_STEPS && ASPECT.has(lemmaAt(words, act)); steps += 1) {
    const next = nextVerb(words, act);
    if (next === null) return act;
    act = next;
  }
  return act;
}

const NOT_IN_PHRASE = new Set(['ADJ', 'NOUN', 'PROPN', 'NUM', 'ADV', 'PART']);
const DEGREE = /^(?:much|so|such|very|really|pretty|quite|too|not|n't|a|an|the|more|most)$/u;

/** The last noun of the phrase that an article or an owner begins at `first`. */
function nounOfPhrase(words: readonly Word[], first: number): Word | undefined {
  const end = words.findIndex(
    ({ pos, text }, i) => i > first && text !== '-' && !NOT_IN_PHRASE.has(pos),
  );
  return words.slice(first, end === -1 ? undefined : end).findLast(isNoun);
}

/** The word of a description that counts: the noun of a phrase, else what stands behind adverbs and articles. */
export function headOf(complement: readonly Word[]): Word | undefined {
  const first = complement.findIndex(
    ({ lower, pos }) => pos !== 'ADV' && pos !== 'PART' && lower !== 'much',
  );
  const opens = complement[first];
  const isCompound = complement[first + 1]?.text === '-';
  const isPhrase =
    opens !== undefined &&
    (isCompound || opens.pos === 'DET' || /^(?:my|our|his|her|their|one)$/u.test(opens.lower));
  const noun = isPhrase ? nounOfPhrase(complement, first) : undefined;
  return (
    noun ??
    complement.find(
      ({ lower, pos }) => !['ADV', 'DET', 'PART'].includes(pos) && !DEGREE.test(lower),
    )
  );
}

/** "Is determined" and "so excited" describe, whatever the tag. */
function describes({ main, subject, verb, words }: ClauseReading): boolean {
  const word = words[main];
  const isBehindBe = words.slice(verb, main).some(({ lower }) => BE.has(lower));
  // "Lost my keys" has an object, "lost in Rome" has none.
  const hasObject = /^(?:DET|PRON|NOUN|PROPN)$/u.test(words[main + 1]?.pos ?? '');
  const follows = main > verb ? isBehindBe : subject === 'left out' && !hasObject;
  const isQuality = word !== undefined && isAdjectival(word) && word.lower !== 'feeling';
  return follows && isQuality && !LIKING.has(word.lower);
}

function linksTo(lemma: string, head: Word | undefined): boolean {
  return LINKING.has(lemma) && head !== undefined && isAdjectival(head);
}

function isPast(words: readonly Word[]): boolean {
  return words.some(
    ({ lower, pos }) =>
      (pos === 'VERB' && isPastForm(lower)) || /^(?:was|were|had|did)$/u.test(lower),
  );
}

/** What the clause says. */
export function predicateOf(reading: ClauseReading, isOfName: boolean): Predicate {
  const { main, verb, words } = reading;
  const last = actOf(reading);
  const isDescription = describes(reading);
  const links = linksTo(lemmaAt(words, last), headOf(words.slice(last + 1)));
  const act = isDescription ? main - 1 : last;
  const complement = words.slice(act + 1);
  return {
    reading,
    act,
    lemma: isDescription || links ? 'be' : lemmaAt(words, act),
    first: lemmaAt(words, main),
    isPast: isPast(words.slice(verb, main + 1)),
    content: informative(words.slice(verb)),
    named: complement.some(isNameOrNumber) ? 1 : 0,
    complement,
    isOfName,
  };
}

const CREATING = wordSet(
  'draw paint build bake cook sew knit write carve sculpt create design crochet plant grow weave photograph',
);
/** "I made it" and "I got it" are said of other things, too. */
const ACQUIRING = wordSet('make get buy find take catch pick');

/** Whether verbs lead to another one: "love to sail". */
export const isLed = ({ act, reading }: Predicate): boolean => act !== reading.main;

/** Whether the verb group denies. */
export const isNegated = ({ main, verb, words }: ClauseReading): boolean =>
  words.slice(verb, main).some(({ lower }) => /^(?:n't|not|never|cannot)$/u.test(lower));

/** "I drew this", "they made these": what is pointed at, a picture or another sentence shows. "I got this" means something else. */
export function presents({ complement, content, isPast, lemma, reading }: Predicate): boolean {
  const [object, next] = complement;
  const pointed = object?.lower ?? '';
  const isPhrase =
    next !== undefined && (isNoun(next) || next.pos === 'ADJ' || next.lower === 'to');
  if (!isPast || isPhrase || isNegated(reading)) return false;
  if (CREATING.has(lemma)) return /^(?:this|these|it|them|that|those)$/u.test(pointed);
  const isTold = lemma === 'make' || content > 0;
  return ACQUIRING.has(lemma) && isTold && /^(?:this|these)$/u.test(pointed);
}

export const hasModal = ({ main, verb, words }: ClauseReading): boolean =>
  words.slice(verb, main + 1).some(({ lower }) => MODAL.has(lower));

export function hasWill({ main, verb, words }: ClauseReading): boolean {
  const isGoing = words[main]?.lower === 'going' && words[main + 1]?.lower === 'to';
  return (
    isGoing ||
    words.slice(verb, main + 2).some(({ lower }) => /^(?:will|'ll|wo|gonna)$/u.test(lower))
  );
}
