/** The index of one conversation in memory: what the product stores in Qdrant, and the same dot product. */
import type { Asked, Hit, Indexed, Recipe, Posting } from './shapes.ts';
import { bagOf, type WeightedTerms } from '../../../domain/ranking/bag.ts';
import { queryWeights } from '../../../domain/ranking/query-weights.ts';
import { rescore } from '../../../domain/ranking/rescore.ts';
import { storedValue } from '../../../domain/ranking/sparse.ts';
import {
  cuesOf,
  readQuestion,
  withCompounds,
  withRepairs,
  type QuestionReading,
} from '../../../engine/text/ranked-question.ts';
import { repairableWords, repairsOf, unknownWords } from '../../../engine/text/repairs.ts';
import { statementCounts } from './statements.ts';
import { nameTerms } from '../../../engine/text/ranked-unit.ts';
import type { Prepared, PreparedUnit } from './prepared.ts';

/** Own terms of the units `distance` before and after, of the same session. */
export function neighboursOf(
  units: readonly PreparedUnit[],
  at: number,
  distance: number,
): WeightedTerms[] {
  const session = units[at]?.message.session;
  return [at - distance, at + distance].flatMap((index) => {
    const neighbour = units[index];
    return neighbour?.message.session === session && neighbour !== undefined ? [neighbour.own] : [];
  });
}

/** Own terms of the unit before, where someone else asks in it and this unit may be the answer. */
export function questionBefore(
  { conversation, units }: Prepared,
  at: number,
): WeightedTerms | null {
  const [unit, before] = [units[at], units[at - 1]];
  if (conversation.style !== 'peers' || unit === undefined || before === undefined) return null;
  const isReply =
    before.asks &&
    before.message.session === unit.message.session &&
    before.message.speaker !== unit.message.speaker;
  return isReply ? before.own : null;
}

function bagAt(prepared: Prepared, at: number, recipe: Recipe): WeightedTerms {
  const unit = prepared.units[at];
  if (unit === undefined) throw new RangeError(`no unit ${at}`);
  return bagOf(
    {
      own: unit.own,
      next: neighboursOf(prepared.units, at, 1),
      second: neighboursOf(prepared.units, at, 2),
      question: questionBefore(prepared, at),
      sources: [],
      speaker: unit.speaker,
      date: unit.date,
    },
    recipe.bag,
  );
}

export function index(prepared: Prepared, recipe: Recipe): Indexed {
  const postings = new Map<string, Posting[]>();
  const frequencies = new Map<string, number>();
  const enrich = recipe.enrich?.(prepared);
  prepared.units.forEach((unit, at) => {
    const bag = bagAt(prepared, at, recipe);
    const terms = new Map(bag.terms);
    for (const [term, weight] of enrich?.(at) ?? []) {
      terms.set(term, (terms.get(term) ?? 0) + weight);
    }
    for (const [term, tf] of terms) {
      const list = postings.get(term) ?? [];
      list.push({ unit: at, value: storedValue(tf, bag.length) });
      postings.set(term, list);
    }
    for (const term of unit.own.terms.keys()) {
      frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    }
  });
  return { prepared, postings, frequencies };
}

/** What the unknown terms of a question are meant to be, as `readKnownWords` finds it. */
export function meantIn(
  question: string,
  reading: QuestionReading,
  frequency: (term: string) => number,
): ReadonlyMap<string, string> {
  const unknown = unknownWords(repairableWords([question]), reading, frequency);
  return new Map(repairsOf(unknown, frequency).map((one) => [one.term, one.meant]));
}

/** The role of the person in a chat with an assistant. */
const PERSON = 'user';

/** `meant` has what unknown terms of the question are meant to be. */
export function askedOf(
  { speakers }: Prepared,
  question: string,
  meant: ReadonlyMap<string, string> = new Map(),
): Asked {
  const reading = withRepairs(readQuestion(question), meant);
  const ofSpeakers = new Set(speakers.flatMap(({ name }) => nameTerms(name)));
  const names = new Set([...reading.terms.keys()].filter((term) => ofSpeakers.has(term)));
  return { text: question, ...reading, names, cues: cuesOf(reading, speakers, PERSON) };
}

/** Whether the message is a turn of the person in a chat with an assistant. */
export function isToAssistant(
  { conversation }: Prepared,
  message: { readonly speaker: string } | undefined,
): boolean {
  return conversation.style === 'assistant' && message?.speaker === PERSON;
}

/** The `most` best units of weighted terms, best first, ties by their order. */
export function search(
  { prepared, postings }: Indexed,
  weights: ReadonlyMap<string, number>,
  most: number,
): Hit[] {
  const scores = new Map<number, number>();
  for (const [term, weight] of weights) {
    for (const { unit, value } of postings.get(term) ?? []) {
      scores.set(unit, (scores.get(unit) ?? 0) + weight * value);
    }
  }
  return [...scores]
    .filter(([, score]) => score > 0)
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, most)
    .map(([unit, score]) => hitOf(prepared, unit, score));
}

export function hitOf(prepared: Prepared, unit: number, score: number): Hit {
  const found = prepared.units[unit];
  if (found === undefined) throw new RangeError(`no unit ${unit}`);
  const { message, order, isShortQuestion, hasTimeCue, saysSomething } = found;
  return {
    unit,
    sourceId: message.id,
    score,
    session: message.session,
    speaker: message.speaker,
    order,
    isShortQuestion,
    hasTimeCue,
    saysSomething,
    isToAssistant: isToAssistant(prepared, message),
  };
}

/** Answers the ranking of a conversation: question to ids of messages, best first. */
export function ranker(prepared: Prepared, recipe: Recipe): (question: string) => string[] {
  const indexed = index(prepared, recipe);
  const weighAsked = recipe.weigh(indexed);
  const expand = recipe.expand?.(indexed);
  const adjust = recipe.adjust?.(indexed);
  const counted = statementCounts(prepared.conversation);
  const known = (term: string): number => counted.frequencies.get(term) ?? 0;
  return (question) => {
    const meant = recipe.repairs
      ? meantIn(question, readQuestion(question), known)
      : new Map<string, string>();
    const asked = askedOf(prepared, question, meant);
    const weigh = weighAsked(asked);
    const terms = withCompounds(asked, known);
    const rarity = (term: string): number =>
      weigh(term, 1) * (asked.names.has(term) ? recipe.speakerName : 1);
    const weights = queryWeights(terms, rarity, recipe.query);
    for (const [term, weight] of expand?.(asked, weigh) ?? []) {
      weights.set(term, Math.max(weights.get(term) ?? 0, weight));
    }
    const hits = search(indexed, weights, recipe.pool);
    const adjusted = adjust === undefined ? hits : adjust(asked, hits);
    const sessions = new Map(adjusted.map((hit) => [hit.sourceId, hit.session]));
    const ranked = rescore(adjusted, asked.cues, recipe.rescore).map((source) => ({
      ...source,
      session: sessions.get(source.sourceId) ?? null,
    }));
    const ordered = recipe.reorder === undefined ? ranked : recipe.reorder(ranked);
    return ordered.map(({ sourceId }) => sourceId);
  };
}
