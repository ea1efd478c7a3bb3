/** What a speaker says of the speaker. */
import type { Word } from '../../english/tagger.ts';
import { isActivity, isNoun } from '../clause/words.ts';
import {
  BELIEVING,
  EVALUATIVE,
  INTENT,
  LIKING,
  MENTAL,
  MOOD,
  PERCEIVING,
  SHOWN,
  SKILLS,
  TELLING,
} from './lexicon.ts';
import { isToListener, speaksToAnybody } from './listeners.ts';
import { isSet, ofMind } from './minds.ts';
import {
  announces,
  awaits,
  awaitsThing,
  hopesFor,
  isPlanned,
  offers,
  ofHope,
  promises,
  proposes,
} from './plans.ts';
import {
  addresses,
  hasModal,
  hasWill,
  headOf,
  informative,
  isLed,
  isNameOrNumber,
  isNegated,
  presents,
  type Predicate,
} from './predicate.ts';
import type { WorthRule } from './rules.ts';

/** "Really made me think": what is left out is no speaker. */
function isDoneToSpeaker({ reading }: Predicate): boolean {
  const { main, subject, words } = reading;
  const behind = words.slice(main + 1, main + 4);
  return subject === 'left out' && behind.some(({ lower }) => lower === 'me' || lower === 'us');
}

/** "We all need an outlet": everybody. */
function speaksOfAll({ isPast, reading: { from, subject, words } }: Predicate): boolean {
  return subject === 'group' && !isPast && words[from + 1]?.lower === 'all';
}

/** "I can't stop thinking about the novel": what keeps its speaker busy. */
function cannotStop(said: Predicate): boolean {
  const { complement, content, reading } = said;
  const isStop = reading.words[reading.main]?.lower === 'stop' && isNegated(reading);
  return isStop && isLed(said) && content > 1 && complement.some(isNoun);
}

/** What is felt, with what it is about. */
function ofMood(about: readonly Word[]): WorthRule | null {
  // "Motivated by reminding myself of my progress": how somebody goes about it.
  const [by, doing, ...rest] = about;
  const isWay = by?.lower === 'by' && doing !== undefined && isActivity(doing) && rest.length > 2;
  if (isWay && !addresses(about)) return 'habit';
  return informative(about) > 0 && !addresses(about) ? 'feeling' : null;
}

function described({ complement, content, reading }: Predicate): WorthRule | null {
  if (reading.subject === 'left out' && hasWill(reading)) return null;
  const head = headOf(complement);
  if (head === undefined || BELIEVING.has(head.lower)) return null;
  if (MOOD.has(head.lower)) return ofMood(complement.slice(complement.indexOf(head) + 1));
  const tells = complement.some(isNameOrNumber);
  if (EVALUATIVE.has(head.lower) && !tells) return null;
  return content > 0 || tells ? 'description' : null;
}

/** "I'm planning a few": of what, another sentence says. */
function isPale({ complement }: Predicate): boolean {
  const said = complement.filter(({ pos }) => pos !== 'PUNCT');
  const last = said.at(-1)?.lower ?? '';
  return said.length <= 2 && /^(?:few|one|ones|some|more|couple|any|another|many)$/u.test(last);
}

/** Says nothing of its own, or nothing behind a verb that wants something: "I have been networking" is enough. */
function isEmpty(said: Predicate): boolean {
  const { act, complement, content, lemma, named } = said;
  const verb = said.reading.words[act];
  const isWhole = SKILLS.has(lemma) || (verb !== undefined && isActivity(verb));
  const says = complement.some(({ pos }) => pos !== 'PUNCT' && pos !== 'PART');
  return content + named < 1 || !(isWhole || says);
}

/** Likes what another has shown: praise, and no preference. */
function praisesShown({ complement }: Predicate): boolean {
  const first = complement[0]?.lower ?? '';
  const isPicture = complement.some(({ lower }) => /^(?:pics?|photos?|pictures?)$/u.test(lower));
  if (/^(?:that|those)$/u.test(first) || isPicture) return true;
  const head = headOf(complement);
  return /^(?:the|this|these|how|what|it|them|your)$/u.test(first) && SHOWN.has(head?.lower ?? '');
}

/** "Can swim", "can't eat nuts"; "can help" is an offer. */
function isAble({ content, lemma, reading }: Predicate): boolean {
  const { main, subject, verb, words } = reading;
  if (!/^(?:can|ca|could)$/u.test(words[verb]?.lower ?? '')) return false;
  const isNegated = words.slice(verb, main).some(({ lower }) => lower === "n't" || lower === 'not');
  if (isNegated) return content > 1 && !MENTAL.has(lemma) && subject !== 'group';
  return SKILLS.has(lemma) && content > 0;
}

const seeksOrTends = ({ complement, lemma }: Predicate): boolean =>
  lemma === 'look' && /^(?:for|into|after|at)$/u.test(complement[0]?.lower ?? '');

/** "I love sailing", "I love to sail"; "I would love to" is a plan. */
function likes(said: Predicate): boolean {
  const isWish = /^(?:would|'d)$/u.test(said.reading.words[said.reading.verb]?.lower ?? '');
  return LIKING.has(said.first) && !(isLed(said) && isWish);
}

const knowsHow = ({ first, reading: { main, words } }: Predicate): boolean =>
  first === 'know' && words[main + 1]?.lower === 'how';

const finds = ({ complement, named }: Predicate): boolean =>
  named > 0 || complement.some(({ lower }) => lower === 'to');

const DAY = /^(?:yesterday|today|week|weekend|month|year|night|morning|ago)$/u;

/** "I do" and "I told her" say of what only with two words. */
function isBare({ complement, content, isPast, lemma, reading }: Predicate): boolean {
  const { main, words } = reading;
  const isAuxiliary = lemma === 'do' && words[main]?.pos === 'AUX';
  // "We did it yesterday" has a time; what was done another sentence says.
  const isDated = isPast && content > 0 && complement.some(({ lower }) => DAY.test(lower));
  return (isAuxiliary || TELLING.has(lemma)) && content < 2 && !isDated;
}

function isPerfect({ reading: { main, verb, words } }: Predicate): boolean {
  return words.slice(verb, main).some(({ lower }) => /^(?:have|has|'ve)$/u.test(lower));
}

/** "I have", "I own", "I've got". */
function has({ isPast, lemma, reading: { main, verb, words } }: Predicate): boolean {
  const isGot =
    words[main]?.lower === 'got' && /^(?:have|has|'ve)$/u.test(words[verb]?.lower ?? '');
  return lemma === 'have' || lemma === 'own' || (lemma === 'get' && (isGot || !isPast));
}

type Judge = (said: Predicate) => WorthRule | null;

const perceived = ({ content, isPast, lemma, named }: Predicate): boolean =>
  PERCEIVING.has(lemma) && isPast && content + named > 1;

/** The first that holds judges. */
const JUDGES: readonly (readonly [(said: Predicate) => boolean, Judge])[] = [
  [isDoneToSpeaker, () => null],
  [speaksToAnybody, () => null],
  [awaits, () => 'plan'],
  [awaitsThing, () => 'plan'],
  [cannotStop, () => 'preference'],
  [promises, () => 'plan'],
  [offers, () => 'plan'],
  [speaksOfAll, () => null],
  [isToListener, () => null],
  [({ lemma }) => lemma === 'be', described],
  [({ complement, lemma }) => lemma === 'hope' && hopesFor(complement), ofHope],
  [presents, () => 'event'],
  [isSet, () => 'event'],
  [isEmpty, () => null],
  [isPale, () => null],
  [(said) => likes(said) && !isLed(said), (said) => (praisesShown(said) ? null : 'preference')],
  [knowsHow, () => 'ability'],
  [
    ({ isPast, lemma }) => lemma === 'find' && !isPast,
    (said) => (finds(said) ? 'preference' : null),
  ],
  [perceived, () => 'event'],
  [seeksOrTends, ({ content }) => (content > 1 ? 'habit' : null)],
  [({ lemma }) => MENTAL.has(lemma), ofMind],
  [likes, () => 'preference'],
  [announces, () => null],
  [
    (said) => (isLed(said) && INTENT.has(said.first)) || hasWill(said.reading),
    (said) => (isPlanned(said) ? 'plan' : null),
  ],
  [(said) => MENTAL.has(said.first) && !isLed(said), () => null],
  [proposes, () => 'plan'],
  [({ reading }) => hasModal(reading), (said) => (isAble(said) ? 'ability' : null)],
  [isBare, () => null],
  [has, () => 'possession'],
  [(said) => said.isPast || isPerfect(said), () => 'event'],
];

/** The rule by which what a speaker says of the speaker is worth a statement; null when it is not. */
export function ofSpeaker(said: Predicate): WorthRule | null {
  const judge = JUDGES.find(([holds]) => holds(said));
  return judge === undefined ? 'habit' : judge[1](said);
}
