/** A way to rank, as data and functions: what goes into a unit, what a query weighs, and how the hits are scored again. */
import type { Recipe } from './shapes.ts';
import { BAG_WEIGHTS } from '../../../domain/ranking/bag.ts';
import { QUERY_TERM_WEIGHTS } from '../../../domain/ranking/query-weights.ts';
import { RESCORE_WEIGHTS } from '../../../domain/ranking/rescore.ts';
import { PASSAGE_TERMS } from '../../../engine/text/passages.ts';
import { ownFrequencies, statementFrequencies } from './frequencies.ts';

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
