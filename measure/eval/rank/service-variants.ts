/** Ideas that were tried on the ranking of the service itself, where `variants.ts` tries each on the target ranker. */
import { diverse } from './ideas/diverse.ts';
import {
  askedDate,
  besideUnits,
  coverage,
  elsewhere,
  firstPerson,
  smoothed,
} from './ideas/scores.ts';
import { askedGrams, askedPairs, cooccurring, feedback, GRAMS, PAIRS } from './ideas/terms.ts';
import type { Variant } from './variant.ts';
import { ofRanker } from './variants.ts';

export const SERVICE_IDEAS: readonly Variant[] = [
  ofRanker(
    'ranker-diverse',
    'ranker where messages beside one that was taken count less',
    ...[0.95, 0.9, 0.8].flatMap((beside) =>
      [1, 2].map((near) => ({ reorder: diverse(near, beside, 1) })),
    ),
  ),
  ofRanker(
    'ranker-diverse-sessions',
    'ranker where messages of a session that was taken from count less',
    ...[0.99, 0.98, 0.95, 0.9].map((ofSession) => ({ reorder: diverse(0, 1, ofSession) })),
  ),
  ofRanker(
    'ranker-before',
    'ranker with more of the words of the unit before',
    ...[0.05, 0.1, 0.2].map((weight) => ({ enrich: besideUnits(weight, -1) })),
  ),
  ofRanker(
    'ranker-after',
    'ranker with more of the words of the unit after',
    ...[0.05, 0.1, 0.2].map((weight) => ({ enrich: besideUnits(weight, 1) })),
  ),
  ofRanker(
    'ranker-feedback',
    'ranker with words of the first hits (RM3)',
    ...[0.1, 0.2].map((weight) => ({ expand: feedback(5, 5, weight) })),
  ),
  ofRanker('ranker-co-occurrence', 'ranker with words that stand beside those of the question', {
    expand: cooccurring(3, 0.2),
  }),
  ofRanker('ranker-pairs', 'ranker with pairs of neighbouring words', {
    enrich: PAIRS,
    expand: askedPairs(0.3),
  }),
  ofRanker('ranker-grams', 'ranker with character 4-grams beside stems', {
    enrich: GRAMS,
    expand: askedGrams(0.3),
  }),
  ofRanker('ranker-first-person', 'ranker, units in which the speaker speaks of themself', {
    adjust: firstPerson(1.1),
  }),
  ofRanker('ranker-smoothing', 'ranker with a share of the scores of the units beside', {
    adjust: smoothed(0.1),
  }),
  ofRanker('ranker-coverage', 'ranker, units that cover much of the question', {
    adjust: coverage(0.3),
  }),
  ofRanker('ranker-asked-date', 'ranker, messages of the month or day that is asked', {
    adjust: askedDate(1.2, 14),
  }),
  ofRanker('ranker-elsewhere', 'ranker, units of sessions without those who are named', {
    adjust: elsewhere(0.6),
  }),
  ofRanker('ranker-elsewhere-light', 'the same, and names of speakers weigh less', {
    speakerName: 0.2,
    adjust: elsewhere(0.6),
  }),
];
