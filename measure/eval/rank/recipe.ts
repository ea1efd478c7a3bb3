/** A way to rank, as data and functions: what goes into a unit, what a query weighs, and how the hits are scored again. */
import { BAG_WEIGHTS, type BagWeights } from '../../../domain/ranking/bag.ts';
import {
  RESCORE_WEIGHTS,
  type RankedUnit,
  type RescoreWeights,
} from '../../../domain/ranking/rescore.ts';
import { PASSAGE_TERMS } from '../../../engine/text/passages.ts';
import type { QuestionReading } from '../../../engine/text/ranked-question.ts';
import type { Indexed } from './memory-index.ts';
import type { Prepared } from './prepared.ts';
import { ownFrequencies } from './frequencies.ts';

/** A question as the ranker sees it. */
export interface Asked extends QuestionReading {
  readonly text: string;
}

/** A unit of the first list, with its place among the units of the conversation. */
export interface Hit extends RankedUnit {
  readonly unit: number;
}

/** The weight of a term in a query, its count included. */
export type Weigh = (term: string, count: number) => number;

/** Gives the weights for the questions of a conversation. */
export type Weighing = (indexed: Indexed) => (asked: Asked) => Weigh;

export interface Recipe {
  readonly passageTerms: number;
  readonly bag: BagWeights;
  readonly rescore: RescoreWeights;
  /** Units that are scored again. */
  readonly pool: number;
  /** Terms that a unit gets besides its bag, with their weights. Called once for each conversation. */
  readonly extra?: (prepared: Prepared) => (unit: number) => Iterable<readonly [string, number]>;
  /** Weights of the terms of a query. */
  readonly weigh: Weighing;
  /** Terms that a query gets besides its own, with their final weights. */
  readonly expand?: (
    indexed: Indexed,
  ) => (asked: Asked, weigh: Weigh) => ReadonlyMap<string, number>;
  /** Changes the scores of the first list. */
  readonly adjust?: (indexed: Indexed) => (asked: Asked, hits: readonly Hit[]) => readonly Hit[];
}

/** The target ranker of domain/ranking, with document frequencies of the units' own words. */
export const TARGET: Recipe = {
  passageTerms: PASSAGE_TERMS,
  bag: BAG_WEIGHTS,
  rescore: RESCORE_WEIGHTS,
  pool: 200,
  weigh: ownFrequencies,
};
