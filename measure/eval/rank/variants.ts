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
import {
  askedDate,
  coverage,
  farNeighbours,
  firstPerson,
  numbers,
  properNames,
  reasons,
  severalPassages,
  smoothed,
} from './ideas/scores.ts';
import {
  askedGrams,
  askedPairs,
  cooccurring,
  feedback,
  GRAMS,
  PAIRS,
  samePrefix,
} from './ideas/terms.ts';
import { RANKER, TARGET } from './recipe.ts';
import type { Recipe } from './shapes.ts';
import { plainStemsOf, referenceRanker } from './reference.ts';
import { namesRanker } from './names-ranker.ts';
import { statementRanker } from './statement-ranker.ts';
import { recipeRanker, type Variant } from './variant.ts';

function of(name: string, about: string, ...recipes: readonly Partial<Recipe>[]): Variant {
  return {
    name,
    about,
    settings: recipes.map((recipe) => recipeRanker({ ...TARGET, ...recipe })),
  };
}

const { bag, query, rescore } = TARGET;

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

/** An idea added to the target ranker. */
const IDEAS: readonly Variant[] = [
  of(
    'question-before',
    'words of a question that the unit may answer',
    ...[0.3, 0.5, 0.7].map((question) => ({ bag: { ...bag, question } })),
  ),
  of(
    'second-neighbours',
    'more of the second neighbours',
    ...[0.15, 0.2].map((second) => ({ bag: { ...bag, second } })),
  ),
  of(
    'far-neighbours',
    'words of units three to four away',
    ...[0.05, 0.1].map((weight) => ({ enrich: farNeighbours(weight, 4) })),
  ),
  of(
    'names',
    'names of speakers weigh less in a query, who speaks weighs more',
    ...[0, 0.2, 0.4].flatMap((speakerName) =>
      [1.5, 1.7].map((person) => ({ speakerName, rescore: { ...rescore, person } })),
    ),
  ),
  of(
    'frame',
    'words that frame a question weigh less',
    ...[0.3, 0.5, 0.7].map((frame) => ({ query: { ...query, frame } })),
  ),
  of(
    'related',
    'related words of everyday English',
    ...[0.3, 0.4, 0.5].map((related) => ({ query: { ...query, related } })),
  ),
  of(
    'compounds',
    'words written as one or as two',
    ...[0.3, 0.6].map((compound) => ({ query: { ...query, compound } })),
  ),
  of(
    'prefix',
    'words that begin with the same letters',
    ...[4, 5, 6].flatMap((length) =>
      [0.2, 0.4].map((weight) => ({ expand: samePrefix(length, weight) })),
    ),
  ),
  of(
    'feedback',
    'words of the first hits (RM3)',
    { expand: feedback(5, 5, 0.1) },
    { expand: feedback(10, 10, 0.2) },
  ),
  of(
    'co-occurrence',
    'words that stand beside those of the question',
    { expand: cooccurring(3, 0.2) },
    { expand: cooccurring(5, 0.4) },
  ),
  of(
    'pairs',
    'pairs of neighbouring words',
    ...[0.2, 0.5].map((weight) => ({ enrich: PAIRS, expand: askedPairs(weight) })),
  ),
  of(
    'grams',
    'character 4-grams beside stems',
    ...[0.5, 1].map((weight) => ({ enrich: GRAMS, expand: askedGrams(weight) })),
  ),
  of(
    'asked-date',
    'messages of the month or day that is asked',
    ...[1.2, 1.5].flatMap((by) => [0, 14].map((after) => ({ adjust: askedDate(by, after) }))),
  ),
  of(
    'how-many',
    'numbers for questions of how many',
    { adjust: numbers(1.1) },
    { adjust: numbers(1.25) },
  ),
  of(
    'who-where',
    'names for questions of who and where',
    { adjust: properNames(1.1) },
    { adjust: properNames(1.25) },
  ),
  of('why', 'reasons for questions of why', { adjust: reasons(1.15) }),
  of(
    'first-person',
    'units in which the speaker speaks of themself',
    { adjust: firstPerson(1.1) },
    { adjust: firstPerson(1.25) },
  ),
  of(
    'says-something',
    'messages that the service draws a statement from',
    ...[1.1, 1.2].map((saysSomething) => ({ rescore: { ...rescore, saysSomething } })),
  ),
  of(
    'smoothing',
    'a share of the scores of the units beside',
    { adjust: smoothed(0.1) },
    { adjust: smoothed(0.2) },
  ),
  of(
    'coverage',
    'units that cover much of the question',
    { adjust: coverage(0.3) },
    { adjust: coverage(1) },
  ),
  of(
    'several-passages',
    'a share of the other passages of a message',
    { adjust: severalPassages(0.1) },
    { adjust: severalPassages(0.3) },
  ),
  of('session-light', 'less of the session prior', { rescore: { ...rescore, session: 0.1 } }),
  of(
    'asker-strong',
    'more for the turns of the asker',
    ...[1.8, 2, 2.5].map((asker) => ({ rescore: { ...rescore, asker } })),
  ),
  of(
    'passages',
    'shorter or longer passages',
    ...[30, 50, 60].map((passageTerms) => ({ passageTerms })),
  ),
  of('pool', 'more units are scored again', { pool: 400 }),
];

export function ofRanker(
  name: string,
  about: string,
  ...recipes: readonly Partial<Recipe>[]
): Variant {
  return of(name, about, ...recipes.map((recipe) => ({ ...RANKER, ...recipe })));
}

/** The ranking of the service, and what each of its parts brings. */
const SERVICE: readonly Variant[] = [
  ofRanker('ranker', 'the ranking of the service: what held on both sets', {}),
  ofRanker('ranker-no-repairs', 'ranker that repairs no unknown words', { repairs: false }),
  ofRanker('ranker-own-df', 'ranker with frequencies of own words', { weigh: ownFrequencies }),
  ofRanker('ranker-equal', 'ranker for readers without frequencies', {
    weigh: equalWeights,
    repairs: false,
  }),
  ofRanker(
    'ranker-chosen',
    'ranker, its weights chosen on other conversations',
    ...[0.4, 0.7].flatMap((question) =>
      [0.1, 0.2].flatMap((session) =>
        [0.3, 0.4].flatMap((related) =>
          [1.5, 1.7].map((person) => ({
            bag: { ...RANKER.bag, question },
            query: { ...RANKER.query, related },
            rescore: { ...RANKER.rescore, session, person },
          })),
        ),
      ),
    ),
  ),
  ofRanker('ranker-no-question', 'ranker without the question before', {
    bag: { ...RANKER.bag, question: 0 },
  }),
  ofRanker('ranker-light-names', 'ranker where names of speakers weigh less in a query', {
    speakerName: 0.2,
  }),
  ofRanker('ranker-no-frame', 'ranker with frame words at full weight', {
    query: { ...RANKER.query, frame: 1 },
  }),
  ofRanker('ranker-no-related', 'ranker without related words', {
    query: { ...RANKER.query, related: 0 },
  }),
  ofRanker('ranker-no-compounds', 'ranker without compounds', {
    query: { ...RANKER.query, compound: 0 },
  }),
  ofRanker('ranker-prefix', 'ranker with words of the same prefix', { expand: samePrefix(5, 0.2) }),
  ofRanker('ranker-no-statement', 'ranker, messages without a statement count alike', {
    rescore: { ...RANKER.rescore, saysSomething: 1 },
  }),
  ofRanker('ranker-passages', 'ranker with longer passages', { passageTerms: 60 }),
  ofRanker('ranker-no-neighbours', 'ranker where no neighbour may be read by all', {
    bag: { ...RANKER.bag, next: 0, second: 0, question: 0 },
  }),
];

/** Statements are ranked, the messages that they cite are judged. */
const STATEMENTS: readonly Variant[] = (['facts', 'service'] as const).flatMap((source) => [
  {
    name: `statements-${source}`,
    about: `${source === 'facts' ? 'noted facts' : 'statements of the service'}, the ranking of the service`,
    settings: [statementRanker(RANKER, source)],
  },
  {
    name: `statements-${source}-alone`,
    about: 'the same without words of their sources',
    settings: [
      statementRanker(
        { ...RANKER, bag: { ...RANKER.bag, source: 0, next: 0, second: 0, question: 0 } },
        source,
      ),
    ],
  },
  {
    name: `statements-${source}-target`,
    about: 'the same with the target ranker',
    settings: [
      statementRanker({ ...TARGET, bag: { ...TARGET.bag, next: 0, second: 0, date: 0 } }, source),
    ],
  },
]);

/** Statements by words and meaning, as a search fuses them, and by the names that they share. */
const NAMES: readonly Variant[] = [
  {
    name: 'names-none',
    about: 'statements, by words and meaning',
    settings: [namesRanker('none')],
  },
  { name: 'names-match', about: 'and by entities', settings: [namesRanker('entity_match')] },
  { name: 'names-expand', about: 'and by relations', settings: [namesRanker('relation_expand')] },
];

export const BASELINE = 'target';
export const VARIANTS: readonly Variant[] = [
  ...REFERENCES,
  ...WITHOUT,
  ...FREQUENCIES,
  ...IDEAS,
  ...SERVICE,
  ...STATEMENTS,
  ...NAMES,
];
