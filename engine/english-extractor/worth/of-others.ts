/** What a speaker says of somebody or something else. */
import type { Word } from '../../english/tagger.ts';
import { EVALUATIVE, LIKING, MENTAL, MOOD } from './lexicon.ts';
import {
  addresses,
  hasModal,
  hasWill,
  headOf,
  informative,
  isName,
  isNameOrNumber,
  namesOwn,
  type Predicate,
} from './predicate.ts';
import type { WorthRule } from './rules.ts';

/** Subjects of general truths. */
const GENERIC = /^(?:life|things|people|love|everything|stuff|mine|yours)$/u;
/** Of a person: in good health. */
const WELL = /^(?:ok|okay|fine|better|alright)$/u;
/** In words that say something. */
const TOLD_AT_LENGTH = 4;

/** "Family is important to me", "running is good for my health". */
function isValued({ complement }: Predicate): boolean {
  return complement.some(
    ({ lower }, i) =>
      /^(?:to|for)$/u.test(lower) && /^(?:me|us|my|our)$/u.test(complement[i + 1]?.lower ?? ''),
  );
}

interface Subject {
  /** It or what is said of it is the speaker's. */
  readonly isOwn: boolean;
  readonly isNamed: boolean;
  /** Words of subject and predicate that are not vague. */
  readonly about: number;
}

function subjectOf({ complement, content, isOfName, reading }: Predicate): Subject {
  const { from, subject, verb, words } = reading;
  const named = words.slice(from, verb);
  return {
    isOwn: subject === 'own' || namesOwn(complement),
    isNamed: isOfName || named.some((word) => isName(word, words)),
    about: informative(named) + content,
  };
}

/** A person of the speaker's who feels something: "My son is fine". */
function ofTheirMood(
  { reading: { from, subject, verb } }: Predicate,
  about: number,
): WorthRule | null {
  return subject === 'own' && from + 1 < verb && about > 0 ? 'description' : null;
}

const ruleFor = ({ reading }: Predicate): WorthRule =>
  reading.subject === 'own' ? 'description' : 'of others';

/** "It was great - fresh air, a cabin, a lake": what follows a judgement tells, or it is of the speaker's own. */
function isToldAfter({ complement, reading }: Predicate, head: Word): boolean {
  const next = complement[complement.indexOf(head) + 1];
  return reading.subject === 'own' || (reading.subject === 'pronoun' && next?.pos === 'PUNCT');
}

function isSomebodys(said: Predicate): boolean {
  return /^(?:other|activity|own)$/u.test(said.reading.subject) && isValued(said);
}

/** What is said of what it is: by a noun of the speaker's, of a name, or with a name or a number. */
function isIdentified({ complement, reading }: Predicate, head: Word, subject: Subject): boolean {
  const isQuality = head.pos === 'ADJ' && reading.subject !== 'own' && !subject.isNamed;
  const isOwn = subject.isOwn && !isQuality;
  return subject.about > 0 && (isOwn || subject.isNamed || complement.some(isNameOrNumber));
}

function ofJudgement(said: Predicate, head: Word, { about }: Subject): WorthRule | null {
  if (said.content >= TOLD_AT_LENGTH && isToldAfter(said, head)) return ruleFor(said);
  return WELL.test(head.lower) ? ofTheirMood(said, about) : null;
}

function describedOther(said: Predicate, subject: Subject): WorthRule | null {
  const head = headOf(said.complement);
  if (head === undefined) return null;
  const isJudged = EVALUATIVE.has(head.lower);
  if (MOOD.has(head.lower) && !isJudged) return ofTheirMood(said, subject.about);
  if (isSomebodys(said)) return subject.about > 0 ? 'preference' : null;
  if (isJudged && !said.complement.some(isNameOrNumber)) return ofJudgement(said, head, subject);
  if (said.reading.subject === 'activity') {
    return subject.isOwn && subject.about > 1 ? 'effect' : null;
  }
  return isIdentified(said, head, subject) ? ruleFor(said) : null;
}

const judges = ({ lower }: Word): boolean => EVALUATIVE.has(lower.replace(/ly$/u, ''));

function praises({ complement, isPast }: Predicate, { isOwn }: Subject): boolean {
  return !isOwn && !isPast && complement.some(judges);
}

/** "The gate", "his ankle", "she". */
function isDefinite(first: Word | undefined): boolean {
  return first?.pos === 'DET' || /^(?:his|her|their|its|he|she)$/u.test(first?.lower ?? '');
}

/** "It stands for freedom": what a thing means to whom it belongs. */
function signifies({ complement, lemma, reading }: Predicate): boolean {
  const standsFor = lemma === 'stand' && complement[0]?.lower === 'for';
  return (
    reading.subject === 'pronoun' && (standsFor || /^(?:represent|symboli[sz]e)$/u.test(lemma))
  );
}

function done(said: Predicate, subject: Subject): WorthRule | null {
  const { from, words } = said.reading;
  if (signifies(said)) return subject.about > 0 ? 'of others' : null;
  if (said.reading.subject === 'activity') {
    return subject.isOwn && subject.about > 0 ? 'effect' : null;
  }
  const isWorth = subject.isOwn || subject.isNamed || said.isPast || isDefinite(words[from]);
  const least = subject.isOwn && said.isPast ? 1 : 2;
  return isWorth && subject.about >= least ? ruleFor(said) : null;
}

/** Names the listener, and not only for comparison: "... as you do". */
function isToListener(words: readonly Word[]): boolean {
  const compared = words.findIndex(
    ({ lower }, i) => i > 0 && /^(?:as|like)$/u.test(lower) && words[i + 1]?.lower === 'you',
  );
  return addresses(compared === -1 ? words : words.slice(0, compared));
}

/** The rule by which what is said of another is worth a statement; null when it is not. */
export function ofOthers(said: Predicate): WorthRule | null {
  const { lemma, reading } = said;
  const { from, words } = reading;
  if (isToListener(words.slice(from)) || hasModal(reading) || hasWill(reading)) return null;
  const subject = subjectOf(said);
  if (lemma === 'be') return describedOther(said, subject);
  if (lemma === 'matter' && isSomebodys(said)) return subject.about > 0 ? 'preference' : null;
  const isTalk = MENTAL.has(lemma) || GENERIC.test(words[from]?.lower ?? '');
  return isTalk || praises(said, subject) ? null : done(said, subject);
}

/** "You live in Rome": what is said to a listener is mostly praise and advice, so it must name something. */
export function ofListener({ complement, content, lemma, reading }: Predicate): WorthRule | null {
  const isPlain = lemma !== 'be' && !MENTAL.has(lemma) && !LIKING.has(lemma);
  if (!isPlain || content < 2 || hasModal(reading) || hasWill(reading)) return null;
  const names = complement.some((word) => isName(word, reading.words) || word.pos === 'NUM');
  const isJudged = complement.some(
    (word) => word.pos === 'ADJ' && (MOOD.has(word.lower) || judges(word)),
  );
  return names && !isJudged ? 'of others' : null;
}
