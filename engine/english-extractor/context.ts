/**
 * What stands around a clause and may say what its pronouns refer to: the sentences before it, the picture that its speaker
 * shares, the question that it answers.
 */
import type { ExtractionRequest } from '../../domain/statements/candidate.ts';
import { tagged } from '../english/tagger.ts';
import { sentencesOf } from '../text/sentences.ts';
import type { Piece, PlacedAssertion } from './assertion.ts';
import { mentionsOf, type NamedThing } from './referents/mentions.ts';
import { onlyPicture, withoutCaptions } from './captions.ts';
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
  /** It asks about what was shown before. */
  readonly isOfShown: boolean;
}

/** Asks about what was shown: "Did you make that?", "Is it nearby?", "What does it mean to you?" */
const ASKS_OF_SHOWN =
  /\b(?:(?:is|was|are|were) (?:it|that|this|these|those|they)\b(?! (?:going|been)\b)|(?:draw|drew|paint|painted|make|made|take|took|bake|baked|cook|cooked|build|built|buy|bought|get|got|find|found|create|created|design|designed) (?:it|that|this|these|those|them)\b|mean to you\b)/iu;

/** The message that the speaker sent before. */
export interface OwnBefore {
  readonly id: string;
  readonly mentions: readonly NamedThing[];
  /** The one title in quotation marks. */
  readonly title: string | null;
  /** What its picture shows, when the question that is answered comes right behind it. */
  readonly picture: string | null;
}

export interface Context {
  readonly own: () => OwnBefore | null;
  readonly asked: () => QuestionBefore | null;
  /** What the picture shows that comes with the message; null without one, or with several. */
  readonly picture: string | null;
}

/** What a clause can lean on. */
export interface ClausePlace {
  readonly content: string;
  readonly context: Context;
  readonly earlier: readonly Earlier[];
  /** The assertion before, if nothing stands between them that is another one. */
  readonly last: PlacedAssertion | null;
  /** The clause or the sentence right before, if it is meant and can be told. */
  readonly before: Piece | null;
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
  const isOfShown = ASKS_OF_SHOWN.test(question);
  const alone = { id: last.id, question, mentions, isOfShown };
  const before = sentences[at - 1];
  if (mentions.length > 0 || before === undefined) return alone;
  // "That plate is pretty! Did you make it?"
  const whole = `${before} ${question}`;
  if (whole.length > LONGEST_QUESTION) return alone;
  const named = namedIn(before, speaker);
  return { ...alone, question: whole, mentions: named };
}

/** A book, a film or a song. */
const TITLE = /["“](?<title>\p{Lu}[^"“”\n.!?]{2,60})["”]/gu;

function onlyTitle(text: string): string | null {
  const titles = new Set(Array.from(text.matchAll(TITLE), ({ groups }) => groups?.['title'] ?? ''));
  const [title] = titles;
  return titles.size === 1 ? `"${title ?? ''}"` : null;
}

function ownBefore({ anchor, window }: ExtractionRequest, speaker: Voice): OwnBefore | null {
  const last = window.findLast(({ peerKey }) => peerKey === anchor.peerKey);
  if (last === undefined) return null;
  const sentences = Array.from(
    sentencesOf(withoutCaptions(last.content.slice(0, MOST_READ_BEFORE))),
    ({ text }) => text,
  );
  const isRightBefore = window.at(-2) === last;
  return {
    id: last.id,
    mentions: sentences
      .flatMap((text) => namedIn(text, speaker))
      .filter(({ text }) => !/^(?:their|his|her|its)\s/iu.test(text)),
    title: onlyTitle(last.content.slice(0, MOST_READ_BEFORE)),
    picture: isRightBefore ? onlyPicture(last.content) : null,
  };
}

/** What is known of the message as a whole. */
export function contextOf(request: ExtractionRequest, speaker: Voice): Context {
  return {
    asked: lazily(() => askedBefore(request, speaker)),
    own: lazily(() => ownBefore(request, speaker)),
    picture: onlyPicture(request.anchor.content),
  };
}
