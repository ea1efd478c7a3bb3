/** What a speaker says of somebody or something else. */
import type { Word } from '../../english/tagger.ts';
import { describedOther, TOLD_AT_LENGTH } from './described.ts';
import { EVALUATIVE, LIKING, MENTAL, MOOD } from './lexicon.ts';
import {
  addresses,
  hasModal,
  hasWill,
  informative,
  isName,
  presents,
  type Predicate,
} from './predicate.ts';
import type { WorthRule } from './rules.ts';
import { isSomebodys, ruleFor, subjectOf, type ToldSubject } from './subjects.ts';

/** Subjects of general truths. */
const GENERIC = /^(?:life|things|people|love|everything|stuff|mine|yours)$/u;

const judges = ({ lower }: Word): boolean => EVALUATIVE.has(lower.replace(/ly$/u, ''));

function praises({ complement, isPast }: Predicate, { isOwn }: ToldSubject): boolean {
  return !isOwn && !isPast && complement.some(judges);
}

/** "The gate", "his ankle", "she". */
function isDefinite(first: Word | undefined): boolean {
  return first?.pos === 'DET' || /^(?:his|her|their|its|he|she)$/u.test(first?.lower ?? '');
}

/** "It stands for freedom", "the colours reflect a mood": what a thing means to whom it belongs. */
function signifies({ complement, lemma, reading }: Predicate): boolean {
  const { from, subject, words } = reading;
  const standsFor = lemma === 'stand' && complement[0]?.lower === 'for';
  const isThing = subject === 'pronoun' || (subject === 'other' && words[from]?.pos === 'DET');
  return isThing && (standsFor || /^(?:represent|symboli[sz]e|reflect)$/u.test(lemma));
}

/** "It really speaks to me". */
function appeals({ complement, lemma }: Predicate): boolean {
  const [to, me] = complement;
  return (
    /^(?:speak|appeal|resonate)$/u.test(lemma) &&
    /^(?:to|with)$/u.test(to?.lower ?? '') &&
    /^(?:me|us)$/u.test(me?.lower ?? '')
  );
}

/** "The shop is doing great": how something goes. */
function fares({ complement, lemma, reading }: Predicate): boolean {
  const isGoing = /^(?:doing|going)$/u.test(reading.words[reading.main]?.lower ?? '');
  const how = complement.find(({ pos }) => pos === 'ADJ' || pos === 'ADV');
  const isThing = informative(reading.words.slice(reading.from, reading.verb)) > 0;
  return (
    /^(?:own|other)$/u.test(reading.subject) &&
    isThing &&
    isGoing &&
    /^(?:do|go)$/u.test(lemma) &&
    /^(?:well|great|good|fine|badly|poorly|slow|slowly|better|worse)$/u.test(how?.lower ?? '')
  );
}

function byActivity({ about, isOwn }: ToldSubject): WorthRule | null {
  return isOwn && about > 0 ? 'effect' : null;
}

function done(said: Predicate, subject: ToldSubject): WorthRule | null {
  const { from, subject: kind, words } = said.reading;
  if (signifies(said)) {
    return subject.about >= (kind === 'pronoun' ? 1 : TOLD_AT_LENGTH) ? 'of others' : null;
  }
  if (appeals(said)) return 'preference';
  if (presents(said)) return ruleFor(said);
  if (kind === 'activity') return byActivity(subject);
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
  if (fares(said)) return ruleFor(said);
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
