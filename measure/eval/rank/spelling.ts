/** `npm run eval -- rank-spelling`: what one broken word costs a question, and what its repair regains; without a server. */
import { exitCodeOf, tableOf, type Row, type Section } from '../report.ts';
import { SLIPS_OF_QUESTION, spellingRows, withSlips, type SpellingFigures } from './broken.ts';
import { readCorpora, type Corpus, type CorpusConversation } from './corpus.ts';
import { figuresOf, meanOf, R10 } from './metrics.ts';
import { RANKER } from './recipe.ts';
import { statementRanker } from './statement-ranker.ts';
import { recipeRanker, type RankerOf } from './variant.ts';

/** The ranking of the service; `without` repairs nothing. */
const KINDS: Readonly<Record<string, Readonly<Record<'with' | 'without', RankerOf>>>> = {
  messages: {
    with: recipeRanker(RANKER),
    without: recipeRanker({ ...RANKER, repairs: false }),
  },
  statements: {
    with: statementRanker(RANKER, 'service'),
    without: statementRanker({ ...RANKER, repairs: false }, 'service'),
  },
};
/** What messages must regain, and the most that questions without a slip may lose, in points. */
const REGAINED = 0.7;
const MOST_LOST = 0.3;

type Rank = ReturnType<RankerOf>;

function recallOf(
  ranked: readonly (readonly [conversation: CorpusConversation, rank: Rank])[],
): number {
  const figures = ranked.flatMap(([{ questions }, rank]) =>
    questions.map(({ gold, text }) => figuresOf(rank(text), gold)),
  );
  return meanOf(figures)[R10] ?? 0;
}

function rowsOf(kind: string, { conversations, name }: Corpus): Row[] {
  const rankers = KINDS[kind];
  if (rankers === undefined) throw new RangeError(`no ${kind}`);
  const ranks = conversations.map((one) => [one, rankers.with(one)] as const);
  const unrepaired = conversations.map((one) => [one, rankers.without(one)] as const);
  const over = (by: Parameters<typeof withSlips>[1]): number =>
    recallOf(
      Array.from({ length: SLIPS_OF_QUESTION }, (_, seed) =>
        ranks.map(([one, rank]) => [withSlips(one, by, seed), rank] as const),
      ).flat(),
    );
  const figures: SpellingFigures = {
    correct: over('correct'),
    broken: over('beyondRepair'),
    repaired: over('text'),
  };
  // The long chats lose too little by a broken word for a share of it to say much.
  const isJudged = name === 'locomo' && kind === 'messages';
  return [
    ...spellingRows(kind, figures, isJudged ? REGAINED : undefined),
    {
      metric: `${kind}: R@10 lost by questions without a slip`,
      value: recallOf(unrepaired) - recallOf(ranks),
      digits: 2,
      floor: MOST_LOST,
      lessIsBetter: true,
    },
  ];
}

export interface SpellingOptions {
  readonly dataFolder: string;
  readonly say: (line: string) => void;
}

/** Answers the exit code: 0, or 1 when a figure is below its floor. */
export function runSpelling({ dataFolder, say }: SpellingOptions): 0 | 1 {
  const { beam, locomo } = readCorpora(dataFolder);
  const sections = Object.entries({ locomo, beam }).map(([name, corpus]): Section => ({
    ability: `spelling (${name})`,
    rows: corpus && Object.keys(KINDS).flatMap((kind) => rowsOf(kind, corpus)),
  }));
  for (const section of sections) for (const line of tableOf(section)) say(line);
  return exitCodeOf(sections);
}
