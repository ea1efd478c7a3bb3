/** Ways to read and to weigh that were tried, each as what differs from the product. */
import { SIGNALS, type Signals } from '../../../domain/answers/extractive/confidence.ts';
import {
  QUOTES,
  READING,
  type QuoteWeights,
  type ReadingWeights,
} from '../../../domain/answers/extractive/weights.ts';
import type { TextReader } from '../../../domain/answers/extractive/words.ts';
import { EXTRACTIVE_READER } from '../../../engine/answers/extractive.ts';
import type { SignalName } from './fit.ts';

export interface AnswerVariant {
  readonly name: string;
  readonly about: string;
  readonly reader: TextReader;
  readonly reading: ReadingWeights;
  readonly quotes: QuoteWeights;
  /** Signals that the weights are fitted for. */
  readonly signals: readonly SignalName[];
}

/** Those that the data tells something about: none of its statements dispute each other or wait for governance. */
const SHOWN = [
  'fit',
  'second',
  'otherFit',
  'isOtherBetter',
  'hasUnknownName',
] as const satisfies readonly (keyof Signals)[];

export const PRODUCT: AnswerVariant = {
  name: 'product',
  about: 'as the service answers',
  reader: EXTRACTIVE_READER,
  reading: READING,
  quotes: QUOTES,
  signals: SIGNALS,
};

function without(name: SignalName): AnswerVariant {
  const signals = SIGNALS.filter((one) => one !== name);
  return { ...PRODUCT, name: `no-${name}`, about: `without the signal ${name}`, signals };
}

function reading(name: string, about: string, changed: Partial<ReadingWeights>): AnswerVariant {
  return { ...PRODUCT, name, about, reading: { ...READING, ...changed } };
}

function reader(name: string, about: string, changed: Partial<TextReader>): AnswerVariant {
  return { ...PRODUCT, name, about, reader: { ...EXTRACTIVE_READER, ...changed } };
}

function quotes(name: string, about: string, changed: Partial<QuoteWeights>): AnswerVariant {
  return { ...PRODUCT, name, about, quotes: { ...QUOTES, ...changed } };
}

export const ANSWER_VARIANTS: readonly AnswerVariant[] = [
  PRODUCT,
  ...SHOWN.map(without),
  { ...PRODUCT, name: 'fit-alone', about: 'the best statement alone', signals: ['fit'] },
  {
    ...PRODUCT,
    name: 'people-alone',
    about: 'who it is about alone',
    signals: ['otherFit', 'isOtherBetter', 'hasUnknownName'],
  },
  reading('no-frame', 'words that frame the question weigh like others', { frame: 1 }),
  reading('no-length', 'long words weigh like short ones', { least: 1, perLetter: 0 }),
  reading('no-rarity', 'words that many statements have weigh like others', { statements: 0 }),
  reading('rarity-50', 'rarity as among fifty statements', { statements: 50 }),
  reading('no-related', 'only the word itself counts', { related: 0 }),
  reading('related-whole', 'related words count like the word', { related: 1 }),
  reading('no-other-time', 'statements of another time count like others', { otherTime: 1 }),
  reading('never-other-time', 'statements of another time do not count', { otherTime: 0 }),
  reader('no-days', 'days of statements are no words', { dayTerms: () => [] }),
  quotes('quotes-by-score', 'quotes in the order of the search', { coverage: 0, time: 0 }),
  quotes('quotes-by-coverage', 'quotes mostly by what they cover', { coverage: 2 }),
  quotes('quotes-no-time', 'no preference for statements that name a time', { time: 0 }),
  quotes('quotes-one', 'one quote', { most: 1 }),
  quotes('quotes-near', 'further quotes nearly as good as the first', { least: 0.8 }),
  quotes('quotes-always', 'always three quotes', { least: 0 }),
];
