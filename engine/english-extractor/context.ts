/**
 * What stands around a clause and may say what its pronouns refer to: the sentences before it, the picture that its speaker
 * shares, the question that it answers.
 */
import type { ExtractionRequest } from '../../domain/statements/candidate.ts';
import { withoutEnding } from '../../domain/text/ending.ts';
import { tagged } from '../english/tagger.ts';
import { sentencesOf } from '../text/sentences.ts';
import type { Assertion } from './assertion.ts';
import {
  mentionsOf,
  referentOf,
  type ReferentKind,
  type NamedThing,
} from './referents/mentions.ts';
import { onlyPicture } from './captions.ts';
import { lazily } from './lazily.ts';
import { formsOf } from './openers.ts';
import { MAX_SENTENCE } from './sentence-bounds.ts';
import type { Voice } from './voice.ts';

/** A sentence before the clause, or the part of its own sentence before it. */
export interface Earlier {
  readonly start: number;
  /** It says of what another sentence names what that is. */
  readonly describes: () => boolean;
  /** What it names; read when first asked for. */
  readonly mentions: () => readonly NamedThing[];
}

/** "It's a great help" says what something else is, and names nothing of its own. */
const DESCRIBES = /^(?:it|that|this)(?:['’]s| is| was) (?:such |quite )?an?\b/iu;

/** The text at `start` as something that a later clause may lean on. */
export function earlierAt(start: number, text: string, voice: Voice): Earlier {
  const mentions = (): readonly NamedThing[] =>
    namedIn(text, voice).filter((mention) => !SECOND_PERSON.test(mention.text));
  return { start, describes: () => DESCRIBES.test(voice.strip(text)), mentions: lazily(mentions) };
}

/** The last question of a person in the message before. */
export interface QuestionBefore {
  readonly id: string;
  readonly question: string;
  readonly mentions: readonly NamedThing[];
}

/** The message that the speaker sent before. */
export interface OwnBefore {
  readonly id: string;
  readonly mentions: readonly NamedThing[];
}

export interface Context {
  readonly own: () => OwnBefore | null;
  readonly asked: () => QuestionBefore | null;
  /** What the picture shows that comes with the message; null without one, or with several. */
  readonly picture: string | null;
}

/** In characters; a longer question explains too much. */
const LONGEST_QUESTION = 160;
/** In UTF-16 code units, what is read of the message before. */
const MOST_READ_BEFORE = 1_000;
/** "..., you know?" asks nothing. */
const TAG = /(?:\b(?:you know|right|huh|eh|yeah|ok(?:ay)?)\?)$/iu;
const SECOND_PERSON = /\byour?\b/iu;

/** What a text names, without the people who talk to each other. */
function namedIn(text: string, speaker: Voice): readonly NamedThing[] {
  if (text.length > MAX_SENTENCE) return [];
  const people = [speaker.name, ...speaker.others.map(({ name }) => name)]
    .flatMap(formsOf)
    .map((name) => name.toLowerCase());
  const body = speaker.strip(text);
  return mentionsOf(tagged(body), body).filter(
    (mention) => !people.includes(mention.text.toLowerCase()),
  );
}

function askedBefore(
  { anchor, participants, window }: ExtractionRequest,
  speaker: Voice,
): QuestionBefore | null {
  const last = window.at(-1);
  const isPerson = participants.some(
    ({ kind, peerKey }) => kind === 'human' && peerKey === last?.peerKey,
  );
  if (last === undefined || last.peerKey === anchor.peerKey || !isPerson) return null;
  const sentences = Array.from(
    sentencesOf(last.content.slice(-MOST_READ_BEFORE)),
    ({ text }) => text,
  );
  const at = sentences.findLastIndex((text) => text.endsWith('?') && !TAG.test(text));
  const question = sentences[at];
  if (question === undefined || question.length > LONGEST_QUESTION) return null;
  const mentions = namedIn(question, speaker);
  const before = sentences[at - 1];
  if (mentions.length > 0 || before === undefined) return { id: last.id, question, mentions };
  // "That plate is pretty! Did you make it?"
  const whole = `${before} ${question}`;
  if (whole.length > LONGEST_QUESTION) return { id: last.id, question, mentions };
  return { id: last.id, question: whole, mentions: namedIn(before, speaker) };
}

function ownBefore({ anchor, window }: ExtractionRequest, speaker: Voice): OwnBefore | null {
  const last = window.findLast(({ peerKey }) => peerKey === anchor.peerKey);
  if (last === undefined) return null;
  const sentences = Array.from(
    sentencesOf(last.content.slice(0, MOST_READ_BEFORE)),
    ({ text }) => text,
  );
  return { id: last.id, mentions: sentences.flatMap((text) => namedIn(text, speaker)) };
}

/** What is known of the message as a whole. */
export function contextOf(request: ExtractionRequest, speaker: Voice): Context {
  return {
    asked: lazily(() => askedBefore(request, speaker)),
    own: lazily(() => ownBefore(request, speaker)),
    picture: onlyPicture(request.anchor.content),
  };
}

/** The statement with the question that explains it. Its mark is left out: the statement asks nothing. */
export function askedBehind(
  statement: string,
  { id, question }: QuestionBefore,
): Pick<Assertion, 'statement' | 'alsoFrom' | 'isCleared'> {
  const asked = withoutEnding(question, /[?!.\s]/u);
  return {
    statement: `${withoutEnding(statement, /[.!…]/u)} [asked: "${asked}"]`,
    alsoFrom: id,
    isCleared: true,
  };
}

export interface Referent {
  readonly text: string;
  /** Where the sentence begins that names it, if it stands in the same message. */
  readonly start: number | null;
  /** The other message that names it. */
  readonly id: string | null;
}

/**
 * The one thing that the pronoun can stand for: the nearest sentence that names any that fits must name one alone. A person
 * may be the one that the speaker named in the message before.
 */
export function referentFor(
  kind: ReferentKind,
  earlier: readonly Earlier[],
  { own }: Context,
): Referent | null {
  const nearest = earlier.findLast(({ mentions }) =>
    mentions().some(({ kinds }) => kinds.includes(kind)),
  );
  const text = nearest === undefined ? null : referentOf(kind, nearest.mentions());
  if (nearest !== undefined) return text === null ? null : { text, start: nearest.start, id: null };
  if (kind !== 'man' && kind !== 'woman') return null;
  const before = own();
  const person = before === null ? null : referentOf(kind, before.mentions);
  return before === null || person === null ? null : { text: person, start: null, id: before.id };
}
