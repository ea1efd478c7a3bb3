/** The declared variants. Each is an idea; none is made for a question. */
import { wordsOf } from '../metrics/stems.ts';
import {
  equalWeights,
  factFrequencies,
  lengthWeights,
  mixed,
  ownFrequencies,
  poolFrequencies,
  softened,
  statementFrequencies,
} from './frequencies.ts';
import { TARGET, type Recipe } from './recipe.ts';
import { plainStemsOf, referenceRanker } from './reference.ts';
import { recipeRanker, type Variant } from './variant.ts';

function of(name: string, about: string, ...recipes: readonly Partial<Recipe>[]): Variant {
  return {
    name,
    about,
    settings: recipes.map((recipe) => recipeRanker({ ...TARGET, ...recipe })),
  };
}

const { bag, rescore } = TARGET;

const REFERENCES: readonly Variant[] = [
  {
    name: 'bm25-words',
    about: 'BM25 over whole messages, all words',
    settings: [(conversation) => referenceRanker(conversation, wordsOf)],
  },
  {
    name: 'bm25-stems',
    about: 'BM25 over whole messages, stems without stop words: the reference',
    settings: [(conversation) => referenceRanker(conversation, plainStemsOf)],
  },
  of('target', 'the target ranker, frequencies of own words', {}),
];

const WITHOUT: readonly Variant[] = [
  of('no-neighbours', 'target without words of neighbours', {
    bag: { ...bag, next: 0, second: 0 },
  }),
  of('no-speaker', 'target without names of speakers', { bag: { ...bag, speaker: 0 } }),
  of('no-date', 'target without words of dates', { bag: { ...bag, date: 0 } }),
  of('no-session', 'target without the session prior', { rescore: { ...rescore, session: 0 } }),
  of('no-person', 'target without the person asked about', { rescore: { ...rescore, person: 1 } }),
  of('no-asker', 'target without the turns of the asker', { rescore: { ...rescore, asker: 1 } }),
  of('no-time', 'target without cues of time', { rescore: { ...rescore, time: 1 } }),
  of('no-question', 'target without the fall of questions', {
    rescore: { ...rescore, shortQuestion: 1 },
  }),
];

/** What the mean weight of a word of a question is, so that equal weights can be mixed with others. */
const MEAN_WEIGHT = 3;

const FREQUENCIES: readonly Variant[] = [
  of('df-equal', 'no frequencies: all words weigh the same', { weigh: equalWeights }),
  of('df-statements', 'frequencies over extracted statements', { weigh: statementFrequencies }),
  of('df-facts', 'frequencies over facts that people noted (locomo only)', {
    weigh: factFrequencies,
  }),
  ...[200, 500, 1000].map((size) =>
    of(`df-pool-${size}`, `frequencies over the first ${size} of a search with equal weights`, {
      weigh: poolFrequencies(size),
    }),
  ),
  of('df-pool-statements', 'frequencies over the first 200 of a search with df-statements', {
    weigh: poolFrequencies(200, statementFrequencies),
  }),
  of('df-length', 'weights from the length of the stem', { weigh: lengthWeights }),
  of(
    'df-mixed',
    'df-statements mixed with equal weights',
    {
      weigh: mixed(statementFrequencies, equalWeights, 0.7, MEAN_WEIGHT),
    },
    {
      weigh: mixed(statementFrequencies, equalWeights, 0.4, MEAN_WEIGHT),
    },
  ),
  of(
    'df-pool-mixed',
    'df-pool-200 mixed with equal weights',
    {
      weigh: mixed(poolFrequencies(200), equalWeights, 0.7, MEAN_WEIGHT),
    },
    {
      weigh: mixed(poolFrequencies(200), equalWeights, 0.4, MEAN_WEIGHT),
    },
  ),
  of(
    'df-soft',
    'own frequencies with smaller differences',
    ...[0.5, 0.7, 0.85].map((power) => ({ weigh: softened(ownFrequencies, power) })),
  ),
  of(
    'df-soft-statements',
    'df-statements with smaller differences',
    ...[0.5, 0.7, 0.85].map((power) => ({ weigh: softened(statementFrequencies, power) })),
  ),
];

export const BASELINE = 'target';
export const VARIANTS: readonly Variant[] = [...REFERENCES, ...WITHOUT, ...FREQUENCIES];
