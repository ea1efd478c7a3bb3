/** A way to rank, as data and functions: what goes into a unit, what a query weighs, and how the hits are scored again. */
import { BAG_WEIGHTS, type BagWeights } from '../../../domain/ranking/bag.ts';
import {
  QUERY_TERM_WEIGHTS,
  type QueryTermWeights,
} from '../../../domain/ranking/query-weights.ts';
import {
  RESCORE_WEIGHTS,
  type QuestionCues,
  type RankedSource,
  type RankedUnit,
  type RescoreWeights,
} from '../../../domain/ranking/rescore.ts';
import { PASSAGE_TERMS } from '../../../engine/text/passages.ts';
import type { QuestionReading } from '../../../engine/text/ranked-question.ts';
import { ownFrequencies, statementFrequencies } from './frequencies.ts';
import type { Indexed } from './memory-index.ts';
import type { Prepared } from './prepared.ts';

/** A question as the ranker sees it. */
export interface Asked extends QuestionReading {
  readonly text: string;
  /** Its terms that stand in the name of a speaker. */
  readonly names: ReadonlySet<string>;
  readonly cues: QuestionCues;
}

/** A unit of the first list, with its place among the units of the conversation. */
export interface Hit extends RankedUnit {
  readonly unit: number;
}

/** The weight of a term in a query, its count included. */
export type Weigh = (term: string, count: number) => number;

/** Gives the weights for the questions of a conversation. */
export type Weighing = (indexed: Indexed) => (asked: Asked) => Weigh;

/** Terms that a unit gets besides its bag, with their weights. Called once for each conversation. */
export type Enrich = (prepared: Prepared) => (unit: number) => Iterable<readonly [string, number]>;

/** Terms that a query gets besides its own, with their final weights. */
export type Expand = (
  indexed: Indexed,
) => (asked: Asked, weigh: Weigh) => ReadonlyMap<string, number>;

/** Changes the scores of the first list. */
export type Adjust = (indexed: Indexed) => (asked: Asked, hits: readonly Hit[]) => readonly Hit[];

/** A message in the final order. */
export interface Ranked extends RankedSource {
  readonly session: string | null;
}

/** Changes the final order. */
export type Reorder = (sources: readonly Ranked[]) => readonly Ranked[];

export interface Recipe {
  readonly passageTerms: number;
  readonly bag: BagWeights;
  readonly query: QueryTermWeights;
  /** What the name of a speaker weighs, against other words. */
  readonly speakerName: number;
  readonly rescore: RescoreWeights;
  /** Units that are scored again. */
  readonly pool: number;
  /** Words that nobody has used are taken for near ones of the statements. */
  readonly repairs: boolean;
  /** How rare terms are. */
  readonly weigh: Weighing;
  readonly enrich?: Enrich;
  readonly expand?: Expand;
  readonly adjust?: Adjust;
  readonly reorder?: Reorder;
}

/** The target ranker as it was published, with document frequencies of the units' own words. */
export const TARGET: Recipe = {
  passageTerms: 40,
  bag: {
    next: 0.33,
    second: 0.1,
    question: 0,
    source: 0,
    neighbourTerms: 40,
    speaker: 0.5,
    date: 0.25,
  },
  query: { frame: 1, related: 0, compound: 0, repaired: 0 },
  speakerName: 1,
  rescore: {
    session: 0.2,
    fewestSessions: 5,
    person: 1.3,
    asker: 1.6,
    time: 1.2,
    shortQuestion: 0.8,
    saysSomething: 1,
  },
  pool: 200,
  repairs: false,
  weigh: ownFrequencies,
};

/** The ranking of the service: the constants of domain/ranking, and frequencies that the service may use. */
export const RANKER: Recipe = {
  passageTerms: PASSAGE_TERMS,
  bag: BAG_WEIGHTS,
  query: QUERY_TERM_WEIGHTS,
  speakerName: 1,
  rescore: RESCORE_WEIGHTS,
  pool: 200,
  repairs: true,
  weigh: statementFrequencies,
};
