/** A query, parsed once: the words that rank and those that may stand for them, and the operators that bind. */
import {
  binds,
  freeWords,
  rankingText,
  type ParsedQuery,
} from '../../domain/query/parsed-query.ts';
import { namesInQuery, type PossibleName } from '../../domain/entities/possible-names.ts';
import { LONGEST_QUERY_BYTES } from '../../domain/query/bounds.ts';
import { queryOperatorCheck } from '../../domain/query/match-operators.ts';
import { parseQuery } from '../../domain/query/parse-query.ts';
import { queryWeights } from '../../domain/ranking/query-weights.ts';
import {
  exactQuery,
  queryWeight,
  sparseVector,
  type SparseVector,
} from '../../domain/ranking/sparse.ts';
import { termId } from '../../domain/ranking/term-id.ts';
import type { Frequencies } from '../../stores/postgres/retrieval/frequencies.store.ts';
import { analyze } from './analyze.ts';
import {
  readQuestion,
  withCompounds,
  withRepairs,
  type QuestionReading,
} from './ranked-question.ts';
import { words } from '../../domain/text/tokens.ts';
import { repairableWords, type AskedWord, type Repair } from './repairs.ts';

/** Most distinct terms that rank by words; the rest of a longer query ranks by meaning alone. */
const MAX_TERMS = 256;
/** Terms whose frequencies are looked up, those of the query first. An ordinary question has some fifty. */
const MOST_LOOKED_UP_TERMS = 512;
/** Terms that an index is asked for, the weightiest first. */
const MOST_ASKED_TERMS = 256;

export interface QueryPlan {
  readonly parsed: ParsedQuery;
  /** Phrases or exclusions bind the candidates. */
  readonly hasQueryOperators: boolean;
  /** The words that rank, as one text; blank if the query has none. */
  readonly text: string;
  /** The same for an embedder, with secrets masked. */
  readonly meaning: string;
  /** The possible names in the query. */
  readonly names: readonly PossibleName[];
  /** Its terms, with how often each is asked for. */
  readonly terms: ReadonlyMap<string, number>;
  /** The same terms, with what a question says beside them. */
  readonly reading: QuestionReading;
  /** Its free words that a repair may replace if no statement holds them. Words of phrases are not among them. */
  readonly repairable: readonly AskedWord[];
  /** Whether a text satisfies the query's operators. */
  readonly accepts: (text: string) => boolean;
}

/** The weights of the words of a query. */
export interface WeighedWords {
  /** The query's own terms. Every part that shows or checks words uses these. */
  readonly own: SparseVector;
  /** The terms that rank: the weightiest of the own terms and of their substitutes. */
  readonly asked: SparseVector;
  /** The weight of the own terms: a text that holds all of them has about this score, and one with others beside more. */
  readonly total: number;
  /** The terms of `asked` that the query did not say. */
  readonly alternatives: ReadonlySet<string>;
  /** The query's reading, with what its unknown words are meant to be. */
  readonly reading: QuestionReading;
}

/**
 * Reads the query. Never fails: every text has a reading. `masked` is the query without its secrets. It is masked
 * before it is read, because secrets cannot be recognised in a folded query any more.
 */
export function planQuery(query: string, masked: string): QueryPlan {
  const parsed = parseQuery(query);
  const text = rankingText(parsed);
  const all = readQuestion(text);
  const terms = new Map([...all.terms].slice(0, MAX_TERMS));
  return {
    parsed,
    hasQueryOperators: parsed.branches.some(binds),
    text,
    // Folding turns some characters into eighteen, so the text is cut to the most that a caller can send.
    meaning: (masked === query ? text : rankingText(parseQuery(masked)))
      .slice(0, LONGEST_QUERY_BYTES)
      .toWellFormed(),
    names: namesInQuery(query, text),
    terms,
    reading: { ...all, terms },
    repairable: repairableOf(parsed, terms),
    accepts: queryOperatorCheck(parsed, (part) => analyze(part).terms.keys()),
  };
}

function repairableOf(
  parsed: ParsedQuery,
  terms: ReadonlyMap<string, number>,
): readonly AskedWord[] {
  const quoted = new Set(parsed.branches.flatMap(({ phrases }) => phrases.flatMap(words)));
  return repairableWords(freeWords(parsed)).filter(
    ({ term, word }) => terms.has(term) && !quoted.has(word),
  );
}

/**
 * The ids of the terms whose frequencies decide what the query weighs: its own, those that may stand for them, and the
 * parts of words that may be two. At most 512; a term past that weighs like one that nobody has used.
 */
export function termIdsOf({ reading, terms }: QueryPlan, accountId: string): number[] {
  const wanted = new Set([
    ...terms.keys(),
    ...reading.alternatives.map(({ term }) => term),
    ...reading.compounds.flatMap(({ term, parts }) => [term, ...parts]),
  ]);
  return [...wanted].slice(0, MOST_LOOKED_UP_TERMS).map((term) => termId(accountId, term));
}

/** The ids of the free words of the query alone, without words that stand in phrases only. */
export function freeTermIdsOf({ parsed }: QueryPlan, accountId: string): ReadonlySet<number> {
  const { terms } = analyze(freeWords(parsed).join(' '));
  return new Set([...terms.keys()].map((term) => termId(accountId, term)));
}

/**
 * What the query's words weigh, each by how rare it is in the scopes searched. `repairs` says what unknown words are meant
 * to be; the frequencies hold the terms that are meant.
 */
export function weighWords(
  plan: QueryPlan,
  accountId: string,
  { byTerm, units }: Frequencies,
  repairs: readonly Repair[] = [],
): WeighedWords {
  const { terms } = plan;
  const meant = new Map(repairs.map((one) => [one.term, one.meant]));
  const frequency = (term: string): number => byTerm.get(termId(accountId, term)) ?? 0;
  const rarity = (term: string): number => queryWeight(1, units, frequency(term));
  const reading = withRepairs(plan.reading, meant);
  // Two words that weigh nothing, written as one, would still be a term.
  const weights =
    terms.size === 0 ? [] : [...queryWeights(withCompounds(reading, frequency), rarity)];
  const own = weights.filter(([term]) => terms.has(term));
  const asked = weights.toSorted(([, a], [, b]) => b - a).slice(0, MOST_ASKED_TERMS);
  // A text with the intended word counts as much as one with the typed word, which no statement may hold.
  const worth = ([term, weight]: readonly [string, number]): number => {
    const stem = meant.get(term);
    return stem === undefined ? weight : Math.min(weight, (terms.get(term) ?? 1) * rarity(stem));
  };
  return {
    own: sparseVector(accountId, own),
    asked: exactQuery(sparseVector(accountId, asked)),
    total: own.reduce((sum, one) => sum + worth(one), 0),
    alternatives: new Set(asked.flatMap(([term]) => (terms.has(term) ? [] : [term]))),
    reading,
  };
}
