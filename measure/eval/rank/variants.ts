/** The declared variants. Each is an idea; none is made for a question. */
import { wordsOf } from '../metrics/stems.ts';
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

export const BASELINE = 'target';
export const VARIANTS: readonly Variant[] = [...REFERENCES, ...WITHOUT];
