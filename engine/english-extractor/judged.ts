/** One clause of a speaker: whether it is worth a statement, and how it is told in the third person. */
import type { Participant } from '../../domain/statements/candidate.ts';
import { tagged, type Word } from '../english/tagger.ts';
import { isProse, isStatement, readsAsEnglish } from './eligible.ts';
import { looksEnglish, mayNameSpeaker } from './looks-english.ts';
import { openingClause } from './clause/opening.ts';
import { readClause, type ClauseReading } from './clause/reading.ts';
import { unclearPronouns, type Unclear } from './referents/pronouns.ts';
import { onlyListener, type Voice } from './voice.ts';
import {
  withOwnDream,
  withSharedPlan,
  withShownThing,
  withSpokenSubject,
} from './spoken-subject.ts';
import { namedSubject } from './subject.ts';
import { namingAddressee, toThirdPerson } from './third-person.ts';
import { informativeWords } from './vague.ts';
import { ruleOf } from './worth/rule-of.ts';
import type { WorthRule } from './worth/rules.ts';

/** A clause that is worth a statement. */
export interface Judged {
  /** The clause without openers, in the words of the speaker. */
  readonly body: string;
  readonly words: readonly Word[];
  /** Pronouns that nothing before them in the clause explains. */
  readonly unclear: readonly Unclear[];
  /** Null for a sentence that is kept as it is. */
  readonly rule: WorthRule | null;
  readonly subjectRef: string;
  /** It shows something of its speaker's, and says nothing without the picture. */
  readonly isShown: boolean;
  /** "I do - Oscar, my cat": only its question says what. */
  readonly isElliptic: boolean;
  /** Tells the body, with what was put in brackets. `before` is the speaker's text up to the end of the clause. */
  readonly tell: (body: string, before: string) => string | null;
}

/** The sentence with its first letter as sentences begin. */
export function sentenceCase(sentence: string): string {
  const first = Array.from(sentence)[0] ?? '';
  return first.toUpperCase() + sentence.slice(first.length);
}

/** A clause that keeps its words: of another language, or of one that nothing shows to be English. */
function kept(body: string, speaker: Voice): Judged {
  return {
    body,
    words: [],
    unclear: [],
    rule: null,
    subjectRef: speaker.key,
    isShown: false,
    isElliptic: false,
    tell: sentenceCase,
  };
}

const REST =
  /,|(?<!\s)\s+(?:although|though|because|but|even|while|since|so|that|which|when|if|to|and)\s/iu;

/** The clause with the subject that it leaves out: "Last week, went to Rome" to "Last week, Ada went to Rome". */
function completed(text: string, { from, words }: ClauseReading, speaker: Voice): string | null {
  let first = from;
  while (words[first - 1]?.pos === 'ADV') first -= 1;
  const start = words[first]?.start ?? 0;
  const bare = text.slice(start);
  // What follows may have subjects of its own: "Still enjoying my tea, although I know it is late".
  const rest = Math.max(0, REST.exec(bare)?.index ?? bare.length);
  const whole = withSpokenSubject(bare, speaker.name);
  const opening = whole === null ? withSpokenSubject(bare.slice(0, rest), speaker.name) : null;
  if (whole === null && opening === null) return null;
  return `${text.slice(0, start)}${whole ?? `${opening}${bare.slice(rest)}`}`;
}

/** What two people have with each other by talking. */
const OUR_TALK =
  /\bour (?=(?:last |first |next )?(?:chats?|talks?|calls?|conversations?|friendship|messages)\b)/giu;

/** The text in the third person; "you" is named when one person listens. */
export function told(text: string, speaker: Voice, before: string): string {
  const plain = speaker.plain(text);
  const listener = onlyListener(speaker);
  const named =
    listener === null
      ? plain
      : namingAddressee(
          plain.replace(OUR_TALK, `${speaker.name} and ${listener.name}'s `),
          listener.name,
        );
  return sentenceCase(toThirdPerson(named, speaker.name, speaker.company.of(text, before)));
}

function subjectOf(body: string, reading: ClauseReading, speaker: Voice): Participant | null {
  if (reading.subject !== 'listener') return namedSubject(body, speaker.others);
  const [only, ...more] = speaker.others;
  return more.length === 0 ? (only ?? null) : null;
}

/** "Always answer in Celsius": what a person asks of an agent for good is a preference. */
const STANDING_WISH =
  /^(?:please )?(?:always|never|from now on,?|in (?:the )?future,?|going forward,?) (?:please )?(?!(?:mind|knew|know|been|a|the)\b)\p{Ll}+ \S/iu;

function standingWish(body: string, speaker: Voice): Judged | null {
  if (!STANDING_WISH.test(body) || !speaker.others.some(({ kind }) => kind === 'agent'))
    return null;
  const words = tagged(body);
  if (readClause(words) !== 'command') return null;
  const tell = (wish: string): string =>
    `${speaker.name} prefers: ${toThirdPerson(wish.charAt(0).toLowerCase() + wish.slice(1), speaker.name)}`;
  return {
    body,
    words,
    unclear: [],
    rule: 'preference',
    subjectRef: speaker.key,
    isShown: false,
    isElliptic: false,
    tell,
  };
}

/** "Since I lost my job at the bank, things are hard": what happened is said by the way. */
function openingRule(words: readonly Word[], body: string): WorthRule | null {
  const opening = openingClause(words);
  const reading = opening === null ? 'fragment' : readClause(opening);
  if (typeof reading === 'string' || !/^(?:speaker|group|own)$/u.test(reading.subject)) return null;
  return ruleOf(reading, body) === 'event' ? 'event' : null;
}

/** A plan to do something together has a time. */
const SOON =
  /\b(?:soon|sometime|this (?:week|weekend|month|year|summer|winter|spring|autumn|fall))\b/iu;

/** "I do", "we have", before a sign. */
function answersShort({ main, words }: ClauseReading): boolean {
  const next = words[main + 1];
  const isShort = /^(?:do|did|have|had)$/u.test(words[main]?.lower ?? '');
  return isShort && (next === undefined || next.pos === 'PUNCT');
}

const LEAST_OF_PLAN = 3;

/** "Let's plan a painting session soon", and not "Let's meet soon". */
const isPlannedSoon = (plan: string): boolean =>
  SOON.test(plan) && informativeWords(plan.replace(SOON, '')) >= LEAST_OF_PLAN;

interface About {
  readonly subject: Participant | null;
  readonly rule: WorthRule;
}

/** Whom the clause is about and why it is worth a statement; null when it is not, or is about an agent or one of several. */
function aboutOf(
  words: readonly Word[],
  body: string,
  reading: ClauseReading,
  speaker: Voice,
  isShown: boolean,
): About | null {
  if (isShown) return { subject: null, rule: 'event' };
  const subject = subjectOf(body, reading, speaker);
  const isToListener = reading.subject === 'listener';
  const isOfName = subject !== null && !isToListener;
  const rule = ruleOf(reading, body, isOfName) ?? openingRule(words, body);
  const isToSeveral = isToListener && subject === null;
  return rule === null || isToSeveral || subject?.kind === 'agent' ? null : { subject, rule };
}

function english(clause: string, own: string, speaker: Voice): Judged | null {
  const wish = standingWish(own, speaker);
  if (wish !== null) return wish;
  const shared = withSharedPlan(own);
  if (shared !== null && !speaker.dated(clause) && !isPlannedSoon(own)) return null;
  const thing = withShownThing(own);
  const body = shared ?? thing ?? withOwnDream(own) ?? own;
  const words = tagged(body);
  const reading = readClause(words);
  const isShown = thing !== null;
  const about =
    typeof reading === 'string' ? null : aboutOf(words, body, reading, speaker, isShown);
  if (typeof reading === 'string' || about === null) return null;
  const tell = (text: string, before: string): string | null => {
    const spoken = reading.subject === 'left out' ? completed(text, reading, speaker) : text;
    return spoken === null ? null : told(spoken, speaker, before);
  };
  const unclear = unclearPronouns(words, body);
  const subjectRef = about.subject?.peerKey ?? speaker.key;
  const isElliptic = answersShort(reading);
  return { body, words, unclear, rule: about.rule, subjectRef, isShown, isElliptic, tell };
}

const isVocabulary = (words: readonly Word[]): boolean =>
  words.every((word) => word.known || !/\p{L}/u.test(word.text));

/** "Go get them": all its words are English, and they command. */
function commands(text: string): boolean {
  const words = tagged(text);
  return isVocabulary(words) && readClause(words) === 'command';
}

/** Whether the clause is English: by itself, or by its words within a sentence that is. */
function isEnglish(clause: string, sentence: string): boolean {
  return (
    looksEnglish(clause) ||
    (sentence !== clause && looksEnglish(sentence) && isVocabulary(tagged(clause)))
  );
}

/** The clause of the sentence, judged; null when it is not worth a statement. */
export function judged(clause: string, sentence: string, speaker: Voice): Judged | null {
  if (!isProse(clause)) return null;
  if (!readsAsEnglish(clause)) return isStatement(clause, false) ? kept(clause, speaker) : null;
  const own = speaker.plain(speaker.strip(clause));
  if (isEnglish(clause, sentence)) return english(clause, own, speaker);
  if (commands(own)) return null;
  // Nothing tells the language: who "my" and "i" are depends on it, and other sentences keep their words.
  return mayNameSpeaker(clause) || !isStatement(own, true) ? null : kept(own, speaker);
}
