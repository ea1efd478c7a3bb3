/** What a ranking is made of, and what it works on. */
import type { BagWeights } from '../../../domain/ranking/bag.ts';
import type { QueryTermWeights } from '../../../domain/ranking/query-weights.ts';
import {
  type QuestionCues,
  type RankedSource,
  type RankedUnit,
  type RescoreWeights,
} from '../../../domain/ranking/rescore.ts';
import type { QuestionReading } from '../../../engine/text/ranked-question.ts';
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

export interface Posting {
  readonly unit: number;
  readonly value: number;
}

export interface Indexed {
  readonly prepared: Prepared;
  readonly postings: ReadonlyMap<string, readonly Posting[]>;
  /** Units that hold a term among their own words. */
  readonly frequencies: ReadonlyMap<string, number>;
}
