/** What a speaker says somebody or something else is. */
import { isPastForm } from '../../../domain/text/past-form.ts';
import type { Word } from '../../english/tagger.ts';
import { EVALUATIVE, MOOD } from './lexicon.ts';
import {
  addresses,
  headOf,
  informative,
  isNameOrNumber,
  namesOwn,
  type Predicate,
} from './predicate.ts';
import type { WorthRule } from './rules.ts';
import { isOwned, isSomebodys, ruleFor, type ToldSubject } from './subjects.ts';

/** Of a person: in good health. */
const WELL = /^(?:ok|okay|fine|better|alright)$/u;
/** In words that say something. */
export const TOLD_AT_LENGTH = 4;

/** What somebody feels about, in words that say something. */
const LEAST_REASON = 2;

/** Whether somebody feels it: "fans are thrilled" is said of nobody in particular, and "it gets better" of nobody at all. */
function isFelt({ isOfName, reading: { from, subject, words } }: Predicate): boolean {
  const isThing = /^(?:it|this|that)$/u.test(words[from]?.lower ?? '');
  return !isThing && (isOfName || subject !== 'other' || words[from]?.pos === 'DET');
}

/** A person of the speaker's who feels something: "My son is fine"; others with a reason: "They were stoked for the exhibit". */
function ofTheirMood(said: Predicate, head: Word, about: number): WorthRule | null {
  const { complement, reading } = said;
  const reason = complement.slice(complement.indexOf(head) + 1);
  const isReason = /^(?:about|for|to|of|at|by)$/u.test(reason[0]?.lower ?? '');
  const isReasoned = isReason && !addresses(reason) && informative(reason) >= LEAST_REASON;
  if (isReasoned && isFelt(said)) return 'feeling';
  const isOwn = reading.subject === 'own' && reading.from + 1 < reading.verb;
  return isOwn && about > 0 ? 'description' : null;
}

/** "It was great - fresh air, a cabin, a lake": what follows a judgement tells, or it is of the speaker's own. */
function isToldAfter({ complement, reading }: Predicate, head: Word): boolean {
  const next = complement[complement.indexOf(head) + 1];
  return reading.subject === 'own' || (reading.subject === 'pronoun' && next?.pos === 'PUNCT');
}

/** What is said of what it is: by a noun of the speaker's, of a name, or with a name or a number. */
function isIdentified(
  { complement, reading }: Predicate,
  head: Word,
  subject: ToldSubject,
): boolean {
  const isQuality = head.pos === 'ADJ' && reading.subject !== 'own' && !subject.isNamed;
  const isOwn = subject.isOwn && !isQuality;
  return subject.about > 0 && (isOwn || subject.isNamed || complement.some(isNameOrNumber));
}

/** In words: "my family's been great - their love and support helped me". */
const LONG_TAIL = 5;

function ofJudgement(said: Predicate, head: Word, { about }: ToldSubject): WorthRule | null {
  const tail = said.complement.slice(said.complement.indexOf(head) + 1);
  const hasTail = tail[0]?.pos === 'PUNCT' && tail.length > LONG_TAIL;
  if (said.reading.subject === 'own' && about > 0 && hasTail) return ruleFor(said);
  if (said.content >= TOLD_AT_LENGTH && isToldAfter(said, head)) return ruleFor(said);
  return WELL.test(head.lower) ? ofTheirMood(said, head, about) : null;
}

/** "It's been a dream of mine to sail". */
function isOwnAim({ complement }: Predicate): boolean {
  const aim = complement.findIndex(({ lower }) => AIM.test(lower));
  const [of, mine, to] = complement.slice(aim + 1);
  return aim !== -1 && of?.lower === 'of' && mine?.lower === 'mine' && to?.lower === 'to';
}

const AIM = /^(?:dream|goal|ambition|wish|plan)$/u;

/** "Losing my job was hard": what happened is the subject. */
function isOwnDeed({ isPast, reading: { from, subject, verb, words } }: Predicate): boolean {
  const deed = words.slice(from, verb);
  return subject === 'activity' && isPast && isOwned(deed) && informative(deed) > 1;
}

const behind = ({ complement }: Predicate, head: Word): string =>
  complement[complement.indexOf(head) + 1]?.lower ?? '';

/** "They're the ones performing at the festival". */
function isOneOf(said: Predicate, head: Word): boolean {
  const isOne = /^ones?$/u.test(head.lower) && /^(?:who|that|\p{L}+ing)$/u.test(behind(said, head));
  return said.reading.subject === 'pronoun' && isOne && said.content > 1;
}

/** "It's a part-time position in the fashion department": a thing that is told at length. */
function isToldThing(said: Predicate, head: Word): boolean {
  const { complement, content, reading } = said;
  const opens = complement.find(({ pos }) => pos !== 'ADV');
  const isArticle = /^(?:a|an)$/u.test(opens?.lower ?? '');
  const isCompound = complement[1]?.text === '-';
  // "It's a pity that", "it's a misconception that": "it" stands for what follows.
  const isBefore = /^(?:to|that|when|if|how|why)$/u.test(behind(said, head));
  const isTelling = isCompound || (isArticle && informative([head]) > 0);
  const isThing = isTelling && head.pos === 'NOUN' && !isBefore;
  return reading.subject === 'pronoun' && isThing && content >= TOLD_AT_LENGTH;
}

/** "Painting is a fun way to express my feelings": what it does for the speaker. */
function isMeans({ complement, content, reading }: Predicate): boolean {
  const way = complement.findIndex(({ lower }) => lower === 'way');
  const [to, ...end] = complement.slice(way + 1);
  const isToEnd = way !== -1 && to?.lower === 'to' && namesOwn(end);
  return reading.subject === 'activity' && isToEnd && content > 0;
}

/** "The machines were all broken": what had happened to a thing. */
function wasLeft(
  { complement, isPast, reading: { from, words } }: Predicate,
  about: number,
): boolean {
  const state = complement.find(({ lower, pos }) => pos !== 'ADV' && lower !== 'all');
  const isParticiple = state?.pos === 'VERB' && isPastForm(state.lower);
  return isPast && words[from]?.pos === 'DET' && isParticiple && about > 1;
}

interface Description extends ToldSubject {
  readonly said: Predicate;
  /** The word that counts. */
  readonly head: Word;
  /** It judges, and names nothing. */
  readonly isJudged: boolean;
}

const orNull = (holds: boolean, rule: WorthRule): WorthRule | null => (holds ? rule : null);

/** The first that holds judges. */
const JUDGES: readonly (readonly [
  (about: Description) => boolean,
  (about: Description) => WorthRule | null,
])[] = [
  [
    ({ head }) => MOOD.has(head.lower) && !EVALUATIVE.has(head.lower),
    ({ about, head, said }) => ofTheirMood(said, head, about),
  ],
  [({ said }) => isOwnAim(said), () => 'plan'],
  [({ said }) => isOwnDeed(said), () => 'event'],
  [({ about, said }) => wasLeft(said, about), () => 'of others'],
  [({ said }) => isSomebodys(said), ({ about }) => orNull(about > 0, 'preference')],
  [({ said }) => isMeans(said), () => 'effect'],
  [({ isJudged }) => isJudged, ({ head, said, ...subject }) => ofJudgement(said, head, subject)],
  [
    ({ said }) => said.reading.subject === 'activity',
    ({ about, isOwn }) => orNull(isOwn && about > 1, 'effect'),
  ],
  [({ head, said, ...subject }) => isIdentified(said, head, subject), ({ said }) => ruleFor(said)],
  [({ head, said }) => isOneOf(said, head) || isToldThing(said, head), ({ said }) => ruleFor(said)],
];

/** The rule by which a description of another is worth a statement; null when it is not. */
export function describedOther(said: Predicate, subject: ToldSubject): WorthRule | null {
  const head = headOf(said.complement);
  if (head === undefined) return null;
  const isJudged = EVALUATIVE.has(head.lower) && !said.complement.some(isNameOrNumber);
  const description = { ...subject, head, isJudged, said };
  const judge = JUDGES.find(([holds]) => holds(description));
  return judge === undefined ? null : judge[1](description);
}
