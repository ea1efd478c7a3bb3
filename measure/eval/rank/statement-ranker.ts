/** Ranks statements instead of messages, and answers the messages that they cite. */
import { bagOf, type BagWeights, type WeightedTerms } from '../../../domain/ranking/bag.ts';
import { queryWeights } from '../../../domain/ranking/query-weights.ts';
import { rescore } from '../../../domain/ranking/rescore.ts';
import { queryWeight, storedValue } from '../../../domain/ranking/sparse.ts';
import { analyze } from '../../../engine/text/analyze.ts';
import { readQuestion, withCompounds } from '../../../engine/text/ranked-question.ts';
import { askedOf, isToAssistant, meantIn, neighboursOf, questionBefore } from './memory-index.ts';
import { prepare, type Prepared, type PreparedUnit } from './prepared.ts';
import type { CorpusConversation } from './corpus.ts';
import type { Recipe } from './shapes.ts';
import { countTexts, statementsOf } from './statements.ts';
import type { RankerOf } from './variant.ts';

interface Cited {
  readonly text: string;
  readonly sources: readonly string[];
}

/** Sources whose words a statement takes. */
const MOST_SOURCES = 3;

/** The units that a statement was drawn from: of each source, the passage that shares most terms with it. */
function unitsOf(
  { units }: Prepared,
  { sources }: Cited,
  own: WeightedTerms,
  byMessage: ReadonlyMap<string, readonly number[]>,
): number[] {
  const shared = (at: number): number =>
    [...own.terms.keys()].filter((term) => units[at]?.own.terms.has(term) === true).length;
  return sources
    .slice(0, MOST_SOURCES)
    .flatMap((id) => (byMessage.get(id) ?? []).toSorted((a, b) => shared(b) - shared(a))[0] ?? []);
}

interface Placed extends Cited {
  readonly bag: WeightedTerms;
  /** The unit of its first source. */
  readonly unit: PreparedUnit | undefined;
}

/** Statements with their bags: their words, those of their sources and those around them. */
function placed(prepared: Prepared, statements: readonly Cited[], weights: BagWeights): Placed[] {
  const { units } = prepared;
  const byMessage = new Map<string, number[]>();
  units.forEach(({ message }, at) => {
    byMessage.set(message.id, [...(byMessage.get(message.id) ?? []), at]);
  });
  return statements.map((statement) => {
    const own = analyze(statement.text);
    const found = unitsOf(prepared, statement, own, byMessage);
    const [first] = found;
    // In a long message of a chat with an assistant many statements would share most of their words.
    const places = prepared.conversation.style === 'peers' ? found : [];
    const parts = {
      own,
      next: places.flatMap((at) => neighboursOf(units, at, 1)),
      second: places.flatMap((at) => neighboursOf(units, at, 2)),
      question: first === undefined ? null : questionBefore(prepared, first),
      sources: places.flatMap((at) => units[at]?.own ?? []),
      speaker: [],
      date: units[first ?? -1]?.date ?? [],
    };
    return { ...statement, bag: bagOf(parts, weights), unit: units[first ?? -1] };
  });
}

function dotProduct(
  weights: ReadonlyMap<string, number>,
  { terms, length }: WeightedTerms,
): number {
  let sum = 0;
  for (const [term, weight] of weights) {
    const tf = terms.get(term);
    if (tf !== undefined) sum += weight * storedValue(tf, length);
  }
  return sum;
}

export interface StatementHit {
  /** Place of the statement among all. */
  readonly statement: number;
  readonly score: number;
}

/** Ranks statements for a question by their words and those around their sources, best first. */
export function statementHits(
  conversation: CorpusConversation,
  recipe: Recipe,
  statements: readonly Cited[],
): (question: string) => readonly StatementHit[] {
  const prepared = prepare(conversation, recipe.passageTerms);
  const ranked = placed(prepared, statements, recipe.bag);
  const { texts, frequencies } = countTexts(statements.map(({ text }) => text));
  const rarity = (term: string): number => queryWeight(1, texts, frequencies.get(term) ?? 0);
  const known = (term: string): number => frequencies.get(term) ?? 0;
  return (question) => {
    const meant = recipe.repairs
      ? meantIn(question, readQuestion(question), known)
      : new Map<string, string>();
    const asked = askedOf(prepared, question, meant);
    const terms = withCompounds(asked, known);
    const weights = queryWeights(terms, rarity, recipe.query);
    const hits = ranked
      .map(({ bag, unit }, at) => ({
        sourceId: String(at),
        score: dotProduct(weights, bag),
        session: unit?.message.session ?? null,
        speaker: unit?.message.speaker ?? null,
        order: unit?.order ?? 0,
        isShortQuestion: false,
        hasTimeCue: false,
        saysSomething: false,
        isToAssistant: isToAssistant(prepared, unit?.message),
      }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, recipe.pool);
    return rescore(hits, asked.cues, recipe.rescore).map(({ sourceId, score }) => ({
      statement: Number(sourceId),
      score,
    }));
  };
}

/** `source` names which statements: those of the service, or the facts that people noted. */
export function statementRanker(recipe: Recipe, source: 'service' | 'facts'): RankerOf {
  return (conversation) => {
    const statements: readonly Cited[] =
      source === 'service'
        ? statementsOf(conversation)
        : conversation.facts.map(({ text, evidence }) => ({ text, sources: evidence }));
    const rank = statementHits(conversation, recipe, statements);
    return (question) =>
      rank(question).map(({ statement }) => statements[statement]?.sources ?? []);
  };
}
