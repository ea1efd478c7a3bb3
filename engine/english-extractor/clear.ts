/**
 * Makes an assertion clear that leans on what stands around it. It joins the assertion right before it, in the speaker's own
 * words, which no reading of "it" can make false. Else a pronoun of which one thing or person alone can be meant gets it in
 * brackets; or the clause joins the sentence before it, or takes along the question that it answers or the picture that it
 * shows. Where nothing helps it is left out.
 */
import { tagged } from '../english/tagger.ts';
import type { Sentence } from '../text/sentences.ts';
import type { Clause, PlacedAssertion } from './assertion.ts';
import { askedBehind, referentFor, type Context, type Earlier } from './context.ts';
import { withPictureBehind } from './captions.ts';
import { joined, MAX_JOINED } from './joined.ts';
import { judged, told, type Judged } from './judged.ts';
import { unclearPronouns } from './referents/pronouns.ts';
import type { Voice } from './voice.ts';

/** What a clause can lean on. */
export interface ClausePlace {
  readonly content: string;
  readonly context: Context;
  readonly earlier: readonly Earlier[];
  /** The assertion before, if nothing stands between them that is another one. */
  readonly last: PlacedAssertion | null;
  /** The sentence right before, if it is meant and can be told. */
  readonly before: Sentence | null;
}

/** The text with what each unclear pronoun refers to behind it; null when one of them cannot be told. */
function bracketed(
  { body, unclear, words }: Judged,
  { context, earlier }: ClausePlace,
): { readonly text: string; readonly start: number; readonly id: string | null } | null {
  let text = body;
  let start = Infinity;
  let id: string | null = null;
  for (const { at, kind } of unclear.toReversed()) {
    const word = words[at];
    const found = word === undefined ? null : referentFor(kind, earlier, context);
    if (word === undefined || found === null) return null;
    text = `${text.slice(0, word.end)} [${found.text}]${text.slice(word.end)}`;
    start = Math.min(start, found.start ?? Infinity);
    id = found.id ?? id;
  }
  return { text, start, id };
}

function placed(clause: Clause, judgement: Judged, statement: string): PlacedAssertion {
  return {
    start: clause.start,
    end: clause.end,
    span: clause.text,
    dated: clause.text,
    statement,
    subjectRef: judgement.subjectRef,
    rule: judgement.rule,
    alsoFrom: null,
    isCleared: false,
  };
}

function standsAlone(sentence: string, speaker: Voice): boolean {
  const body = speaker.strip(sentence);
  return unclearPronouns(tagged(body), body).length === 0;
}

/** The clause behind the sentence before it, which is no assertion but names what the clause is about. */
function led(
  { before, content, earlier }: ClausePlace,
  clause: Clause,
  own: PlacedAssertion,
  judgement: Judged,
  speaker: Voice,
): PlacedAssertion | null {
  const kinds = judgement.unclear.map(({ kind }) => kind);
  const mentions = earlier.at(-1)?.mentions() ?? [];
  const isNamed = kinds.some(
    (kind) => kind === 'event' || mentions.some((mention) => mention.kinds.includes(kind)),
  );
  if (before === null || mentions.length === 0 || !isNamed || !standsAlone(before.text, speaker)) {
    return null;
  }
  const span = content.slice(before.start, clause.end);
  if (span.length > MAX_JOINED || content.slice(before.end, clause.start).trim() !== '')
    return null;
  const lead = told(speaker.strip(before.text), speaker, content.slice(0, before.end));
  const statement = `${lead} ${own.statement}`;
  return { ...own, start: before.start, span, statement, isCleared: true };
}

/** The question explains the pronouns when it names something; a person, where they stand for one. */
function withQuestion(
  own: PlacedAssertion,
  { unclear }: Judged,
  context: Context,
): PlacedAssertion | null {
  const asked = context.asked();
  if (asked === null) return null;
  const arePersons = unclear.some(({ kind }) => kind === 'woman' || kind === 'man');
  const explains = asked.mentions.some(
    ({ kinds }) => !arePersons || kinds.includes('woman') || kinds.includes('man'),
  );
  return explains ? { ...own, ...askedBehind(own.statement, asked) } : null;
}

export interface FoundAssertion {
  readonly assertion: PlacedAssertion;
  /** It takes the place of the one before. */
  readonly replaces: boolean;
}

/** The assertion with the picture that its speaker shows by it, where nothing else is named before. */
function withPicture(
  own: PlacedAssertion,
  { unclear }: Judged,
  { context, earlier }: ClausePlace,
): PlacedAssertion | null {
  const { picture } = context;
  const shows = unclear.every(({ kind }) => kind === 'thing' || kind === 'event');
  // After sentences that name something, the pronoun may mean that as well.
  const pointsHere = unclear.every(({ kind }) => kind === 'event');
  const isAlone = earlier.every(
    ({ describes, mentions }) => (pointsHere && describes()) || mentions().length === 0,
  );
  if (picture === null || !shows || !isAlone) return null;
  return { ...own, statement: withPictureBehind(own.statement, picture), isCleared: true };
}

/** The clause with what its pronouns refer to in brackets, where that is certain. */
function named(judgement: Judged, clause: Clause, place: ClausePlace): PlacedAssertion | null {
  const clear = bracketed(judgement, place);
  const statement =
    clear === null ? null : judgement.tell(clear.text, place.content.slice(0, clause.end));
  if (clear === null || statement === null) return null;
  const start = Math.min(clear.start, clause.start);
  const span = place.content.slice(start, clause.end);
  const own = placed(clause, judgement, statement);
  return { ...own, start, span, alsoFrom: clear.id, isCleared: true };
}

/** The assertion of the clause; null when it is not worth one, or when nothing makes it clear. */
export function assertionOf(
  clause: Clause,
  place: ClausePlace,
  speaker: Voice,
): FoundAssertion | null {
  const judgement = judged(clause.text, speaker);
  const statement = judgement?.tell(judgement.body, place.content.slice(0, clause.end)) ?? null;
  if (judgement === null || statement === null) return null;
  const own = placed(clause, judgement, statement);
  if (judgement.unclear.length === 0) return { assertion: own, replaces: false };
  const merged = place.last === null ? null : joined(place.last, clause, statement, place.content);
  if (merged !== null) return { assertion: merged, replaces: true };
  const isFirst = place.last === null;
  const assertion =
    named(judgement, clause, place) ??
    led(place, clause, own, judgement, speaker) ??
    (isFirst ? withQuestion(own, judgement, place.context) : null) ??
    withPicture(own, judgement, place);
  return assertion === null ? null : { assertion, replaces: false };
}
