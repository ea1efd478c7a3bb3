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
  SOCIAL,
  TELLING,
} from './lexicon.ts';
import {
  addresses,
  hasModal,
  hasWill,
  headOf,
  informative,
  isNameOrNumber,
  namesOwn,
  type Predicate,
} from './predicate.ts';
import type { WorthRule } from './rules.ts';

/** "Really made me think": what is left out is no speaker. */
function isDoneToSpeaker({ reading }: Predicate): boolean {
  const { main, subject, words } = reading;
  const behind = words.slice(main + 1, main + 4);
  return subject === 'left out' && behind.some(({ lower }) => lower === 'me' || lower === 'us');
}

/** "You can always improve your skills": nobody in particular. */
function speaksToAnybody({ reading: { words } }: Predicate): boolean {
  return words.some(
    ({ lower }, i) =>
      lower === 'you' && i > 0 && ['ADV', 'AUX', 'VERB'].includes(words[i + 1]?.pos ?? ''),
  );
}

/** "We all need an outlet": everybody. */
function speaksOfAll({ isPast, reading: { from, subject, words } }: Predicate): boolean {
  return subject === 'group' && !isPast && words[from + 1]?.lower === 'all';
}

/** Whether "you" is whom the clause is about; it is not in "I have a soup recipe that I can share with you". */
function isToListener({ content, first, isPast, reading }: Predicate): boolean {
  const { from, main, words } = reading;
  if (!addresses(words.slice(from))) return false;
  if (MENTAL.has(first) || TELLING.has(first)) return true;
  if (isPast) return content < 2;
  const isNear = addresses(words.slice(from, main + 5));
  return isNear || content < 3 || hasModal(reading) || hasWill(reading);
}

/** "Can't wait to go on a hike": what is looked forward to, unless it is to see or to hear what the other has to show. */
function awaits({ reading: { main, verb, words } }: Predicate): boolean {
  const isNegated = words
    .slice(verb, main)
    .some(({ lower }) => /^(?:n't|not|cannot)$/u.test(lower));
  const to = words.findIndex(({ lower }, i) => i > main && lower === 'to');
  if (words[main]?.lower !== 'wait' || !isNegated || to === -1) return false;
  const [act, ...object] = words.slice(to + 1);
  const isShown =
    /^(?:see|hear|know|find|read|check|be|meet|have|get|start|try|show|share|hit|do|make)$/u.test(
      act?.lower ?? '',
    ) &&
    (!object.some(isNameOrNumber) || addresses(object));
  return act !== undefined && !isShown && object.some(isNoun) && informative([act, ...object]) > 0;
}

/** What is felt, with what it is about. */
function ofMood(about: readonly Word[]): WorthRule | null {
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

const hopesFor = ([first, ...object]: readonly Word[]): boolean =>
  first?.lower === 'for' && object.some(isNoun);

/** What is hoped for may stand before it: "Between rest and yoga, I'm hoping for some changes". */
function ofHope({ reading: { words } }: Predicate): WorthRule | null {
  return informative(words) > 0 && !addresses(words) ? 'plan' : null;
}

/** "I remember our trip to Riga", "I'll never forget the day my son was born". */
function remembers({ complement, content, isPast, lemma, reading }: Predicate): boolean {
  const { main, verb, words } = reading;
  const never = words.slice(verb, main).some(({ lower }) => lower === 'never');
  const isKept = lemma === 'forget' ? never && content > 1 : lemma === 'remember' && content > 2;
  return isKept && !isPast && namesOwn(complement);
}

const LATELY = /^(?:lately|recently|nowadays)$/u;

const feels = ({ complement, content }: Predicate): boolean =>
  content > 0 &&
  complement.some((word) => isNoun(word) || LATELY.test(word.lower)) &&
  !addresses(complement);

/** Thinks, remembers, hears: worth a statement where it is a deed or says what is remembered. */
function ofMind(said: Predicate): WorthRule | null {
  const { content, lemma, named, reading } = said;
  if (lemma === 'feel') return feels(said) ? 'feeling' : null;
  const isDeed = SOCIAL.has(lemma) && content > 1 && !addresses(reading.words);
  const isKnown = lemma === 'know' && named > 0;
  return isDeed || isKnown || remembers(said) ? 'event' : null;
}

/** A plan says two words, or names a thing: "I'm going to make an appointment". */
function isPlanned({ complement, content, named }: Predicate): boolean {
  return (
    content + named >= 2 || (content + named === 1 && informative(complement.filter(isNoun)) > 0)
  );
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

const isLed = ({ act, reading }: Predicate): boolean => act !== reading.main;

/** "I love sailing", "I love to sail"; "I would love to" is a plan. */
function likes(said: Predicate): boolean {
  const isWish = /^(?:would|'d)$/u.test(said.reading.words[said.reading.verb]?.lower ?? '');
  return LIKING.has(said.first) && !(isLed(said) && isWish);
}

const knowsHow = ({ first, reading: { main, words } }: Predicate): boolean =>
  first === 'know' && words[main + 1]?.lower === 'how';

const finds = ({ complement, named }: Predicate): boolean =>
  named > 0 || complement.some(({ lower }) => lower === 'to');

/** "I wanted to tell you about my day": what is told comes, or does not. */
const announces = (said: Predicate): boolean =>
  isLed(said) &&
  /^(?:want|wanna)$/u.test(said.first) &&
  /^(?:tell|ask|talk|chat|share|show|fill|say|mention)$/u.test(said.lemma);

/** "I do" and "I told her" say of what only with two words. */
function isBare({ content, lemma, reading: { main, words } }: Predicate): boolean {
  const isAuxiliary = lemma === 'do' && words[main]?.pos === 'AUX';
  return (isAuxiliary || TELLING.has(lemma)) && content < 2;
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

/** "We should go to Riga in May": what two could do, when it is more than an idea. */
function proposes({ content, named, reading }: Predicate): boolean {
  return reading.subject === 'group' && hasModal(reading) && content + named > 2;
}

type Judge = (said: Predicate) => WorthRule | null;

const perceived = ({ content, isPast, lemma, named }: Predicate): boolean =>
  PERCEIVING.has(lemma) && isPast && content + named > 1;

/** The first that holds judges. */
const JUDGES: readonly (readonly [(said: Predicate) => boolean, Judge])[] = [
  [isDoneToSpeaker, () => null],
  [speaksToAnybody, () => null],
  [awaits, () => 'plan'],
  [speaksOfAll, () => null],
  [isToListener, () => null],
  [({ lemma }) => lemma === 'be', described],
  [({ complement, lemma }) => lemma === 'hope' && hopesFor(complement), ofHope],
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
