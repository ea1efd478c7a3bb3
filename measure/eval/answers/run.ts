/** `npm run eval -- answers`: refusal and citations of the built-in answerer, without any server. */
import { CONFIDENCE, type ConfidenceWeights } from '../../../domain/answers/extractive/weights.ts';
import { readCorpora, type Corpus } from '../rank/corpus.ts';
import { exitCodeOf, tableOf, type Row, type Section } from '../report.ts';
import {
  casesOf,
  examplesOf,
  figuresFor,
  readCase,
  type AnswerFigures,
  type Case,
} from './bench.ts';
import { fitConfidence } from './fit.ts';
import { OFFERED_PROFILES, offeredBy, passagesOffered } from './offered.ts';
import { ANSWER_VARIANTS, PRODUCT, type AnswerVariant } from './variants.ts';

export interface AnswersOptions {
  /** `--fit`, `--variants`, `--languages` for xquad too, and names of variants. */
  readonly asked: readonly string[];
  readonly dataFolder: string;
  readonly say: (line: string) => void;
}

/** The conversation of each set that the weights of the product were fitted on. Figures are those of the others. */
const TUNED = 0;
/** Conversations that weights are fitted on one after the other, for a variant. */
const TUNINGS = [0, 1, 2] as const;

/** Percent, at the threshold of the product: what was agreed for conversations between people. */
const FLOORS = {
  falseRefusals: 10,
  foreign: { floor: 85, target: 92 },
  adversarial: { floor: 40, target: 55 },
};

function rowsOf(figures: AnswerFigures, hasFloors: boolean): Row[] {
  const { falseRefusals, foreign, adversarial } = FLOORS;
  const rows: Row[] = [
    {
      metric: `refused though answerable (${figures.questions})`,
      value: figures.falseRefusals,
      lessIsBetter: true,
      ...(hasFloors ? { floor: falseRefusals } : {}),
    },
    { metric: 'refused: foreign', value: figures.refused.foreign, ...(hasFloors ? foreign : {}) },
    {
      metric: 'refused: adversarial',
      value: figures.refused.adversarial,
      ...(hasFloors ? adversarial : {}),
    },
    { metric: 'refused: foreign with names of here', value: figures.refused.renamed },
    { metric: 'refused: what answers is kept back', value: figures.refused.bereft },
    { metric: 'AUROC: foreign', value: figures.separation.foreign, digits: 3 },
    { metric: 'AUROC: adversarial', value: figures.separation.adversarial, digits: 3 },
    {
      metric: 'AUROC: foreign with names of here',
      value: figures.separation.renamed,
      digits: 3,
    },
    { metric: 'AUROC: what answers is kept back', value: figures.separation.bereft, digits: 3 },
    { metric: 'an answering message is behind what is offered', value: figures.goldOffered },
    { metric: 'an answering message is cited', value: figures.goldCited },
    { metric: '  of those not refused', value: figures.goldCitedOfAnswered },
    { metric: 'words of the answer found', value: figures.answerWords },
    { metric: 'quotes', value: figures.quotes, digits: 2 },
    { metric: 'first four of the search: message cited', value: figures.plain.goldCited },
    { metric: '  words of the answer found', value: figures.plain.answerWords },
  ];
  return rows.filter(({ value }) => !Number.isNaN(value));
}

/** Figures of a variant on the conversations that its weights were not fitted on. */
function elsewhere(
  cases: readonly Case[],
  variant: AnswerVariant,
  tuned: number,
  given: ConfidenceWeights | null,
): { readonly weights: ConfidenceWeights; readonly figures: ReadonlyMap<string, AnswerFigures> } {
  const read = cases.map((asked) => readCase(asked, variant));
  const weights =
    given ??
    fitConfidence(
      examplesOf(read.filter(({ asked }) => asked.conversation === tuned)),
      variant.signals,
    );
  const rest = read.filter(({ asked }) => asked.conversation !== tuned);
  const sets = [...new Set(cases.map(({ set }) => set))];
  return {
    weights,
    figures: new Map(
      sets.map((set) => [
        set,
        figuresFor(
          rest.filter(({ asked }) => asked.set === set),
          weights,
        ),
      ]),
    ),
  };
}

const SHORT: readonly (readonly [name: string, read: (figures: AnswerFigures) => number])[] = [
  ['false', ({ falseRefusals }) => falseRefusals],
  ['advers', ({ refused }) => refused.adversarial],
  ['foreign', ({ refused }) => refused.foreign],
  ['renamed', ({ refused }) => refused.renamed],
  ['A adv', ({ separation }) => 100 * separation.adversarial],
  ['A for', ({ separation }) => 100 * separation.foreign],
  ['A ren', ({ separation }) => 100 * separation.renamed],
  ['cited', ({ goldCited }) => goldCited],
  ['words', ({ answerWords }) => answerWords],
  ['quotes', ({ quotes }) => quotes],
];

const NAME = 20;
const LIST = 17;

function headOf(): string {
  return `${''.padEnd(NAME + LIST)}${SHORT.map(([name]) => name.padStart(8)).join('')}`;
}

function lineOf(name: string, list: string, all: readonly AnswerFigures[]): string {
  const cells = SHORT.map(([, read]) => {
    const mean = all.reduce((sum, figures) => sum + read(figures), 0) / all.length;
    return (Number.isNaN(mean) ? '' : mean.toFixed(1)).padStart(8);
  });
  return `${name.padEnd(NAME)}${list.padEnd(LIST)}${cells.join('')}`;
}

/** The weights with two decimals, as they stand in the product. */
function written(weights: ConfidenceWeights): string {
  return Object.entries(weights)
    .map(([name, value]: [string, number]) => `${name}: ${value.toFixed(2)}`)
    .join(', ');
}

/** Each variant fitted on one conversation of each set, one after the other, with its mean figures on the others. */
function compareVariants(
  lists: ReadonlyMap<string, readonly Case[]>,
  variants: readonly AnswerVariant[],
  say: AnswersOptions['say'],
): void {
  say(headOf());
  for (const variant of variants) {
    for (const [list, cases] of lists) {
      const tried = TUNINGS.map((tuned) => elsewhere(cases, variant, tuned, null));
      for (const set of tried[0]?.figures.keys() ?? []) {
        const figures = tried.flatMap((one) => one.figures.get(set) ?? []);
        say(lineOf(variant.name, `${set} ${list}`, figures));
      }
    }
  }
}

/** Weights fitted on each conversation of the tuning, over the lists of all profiles, and their figures on the others. */
function fitAgain(lists: ReadonlyMap<string, readonly Case[]>, say: AnswersOptions['say']): void {
  for (const tuned of TUNINGS) {
    const { weights } = elsewhere([...lists.values()].flat(), PRODUCT, tuned, null);
    say(`fitted on conversation ${tuned + 1} of each set: ${written(weights)}`);
    say(headOf());
    for (const [list, cases] of lists) {
      for (const [set, figures] of elsewhere(cases, PRODUCT, tuned, weights).figures) {
        say(lineOf('', `${set} ${list}`, [figures]));
      }
    }
  }
}

/** Answers the exit code: 0, 1 when a figure is below its floor, 2 for an unknown variant. */
export function runAnswers({ asked, dataFolder, say }: AnswersOptions): 0 | 1 | 2 {
  const names = asked.filter((word) => !word.startsWith('--'));
  const variants = names.flatMap(
    (name) => ANSWER_VARIANTS.find((known) => known.name === name) ?? [],
  );
  if (variants.length !== names.length) {
    say('usage: npm run eval -- answers [--fit] [--variants] [--languages] [<variant> …]');
    for (const { about, name } of ANSWER_VARIANTS) say(`  ${name.padEnd(NAME)}${about}`);
    return 2;
  }
  const { beam, locomo, xquad } = readCorpora(dataFolder);
  const corpora = Object.entries({ locomo, beam }).flatMap(([name, corpus]): Corpus[] => {
    if (corpus === null) say(`answers (${name}): skipped, no data`);
    return corpus === null ? [] : [corpus];
  });
  const lists = new Map(
    OFFERED_PROFILES.map((profile) => [
      profile,
      corpora.flatMap((corpus) => casesOf(corpus, (one) => offeredBy(one, profile))),
    ]),
  );
  if (asked.includes('--fit')) fitAgain(lists, say);
  if (asked.includes('--variants')) compareVariants(lists, ANSWER_VARIANTS, say);
  else if (variants.length > 0) compareVariants(lists, variants, say);
  const sections: Section[] = [];
  const report = (ability: string, rows: readonly Row[] | null): void => {
    const section = { ability, rows };
    sections.push(section);
    for (const line of [...tableOf(section), '']) say(line);
  };
  for (const [list, cases] of lists) {
    for (const [set, figures] of elsewhere(cases, PRODUCT, TUNED, CONFIDENCE).figures) {
      report(`answers (${set}, ${list})`, rowsOf(figures, set === 'locomo'));
    }
  }
  if (!asked.includes('--languages')) return exitCodeOf(sections);
  if (xquad === null) report('answers (xquad)', null);
  for (const corpus of xquad ?? []) {
    const read = casesOf(corpus, passagesOffered).map((one) => readCase(one, PRODUCT));
    report(`answers (${corpus.name})`, rowsOf(figuresFor(read, CONFIDENCE), false));
  }
  return exitCodeOf(sections);
}
