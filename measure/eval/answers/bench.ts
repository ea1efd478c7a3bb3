/** Asks the built-in answerer the questions of a set in this process, and counts what it answers. */
import {
  confidenceOf,
  signalsOf,
  type Signals,
} from '../../../domain/answers/extractive/confidence.ts';
import { LEAST_CONFIDENCE } from '../../../domain/answers/extractive/answer.ts';
import { chooseQuotes } from '../../../domain/answers/extractive/quotes.ts';
import { readEvidence } from '../../../domain/answers/extractive/reading.ts';
import type { ConfidenceWeights } from '../../../domain/answers/extractive/weights.ts';
import {
  answerWords,
  citesGold,
  refused,
  separation,
  type GoldAnswered,
} from '../metrics/answers.ts';
import type { Corpus, CorpusConversation } from '../rank/corpus.ts';
import type { Example } from './fit.ts';
import type { Offer, Offered } from './offered.ts';
import { questionsFor, type Question, type UnanswerableKind } from './questions.ts';
import type { AnswerVariant } from './variants.ts';

/** A question with what a search offers for it. */
export interface Case extends Question {
  readonly set: string;
  /** Place of the conversation in its set. */
  readonly conversation: number;
  readonly referenceTime: string;
  readonly offered: readonly Offered[];
}

/** The cases of a set; the questions are asked after the last message. */
export function casesOf(
  { conversations, name }: Corpus,
  offerOf: (conversation: CorpusConversation) => Offer,
): Case[] {
  return conversations.flatMap((conversation, place) => {
    const offer = offerOf(conversation);
    const last = conversation.messages.reduce((most, { at }) => Math.max(most, at), 0);
    return questionsFor(conversation, conversations).map((question) => ({
      ...question,
      set: name,
      conversation: place,
      referenceTime: new Date(last).toISOString(),
      offered: offer(question.text, new Set(question.without)),
    }));
  });
}

/** A case as a variant reads it. */
export interface ReadCase {
  readonly asked: Case;
  readonly signals: Signals;
  readonly text: string;
  readonly citedMessages: readonly string[];
}

export function readCase(asked: Case, variant: AnswerVariant): ReadCase {
  const { offered, referenceTime, text: question } = asked;
  const read = readEvidence(
    { question, referenceTime, evidence: offered },
    variant.reader,
    variant.reading,
  );
  const quotes = chooseQuotes(read, variant.quotes);
  const cited = new Set(quotes.map(({ item }) => item.id));
  return {
    asked,
    signals: signalsOf(read, quotes),
    text: quotes.map(({ item }) => item.text).join('\n'),
    citedMessages: offered.filter(({ id }) => cited.has(id)).flatMap(({ sources }) => sources),
  };
}

/** What a kind of question weighs in tuning: answerable and other questions alike, chats with an assistant half. */
const SHARES: Readonly<Record<string, number>> = {
  'locomo answerable': 1,
  'locomo adversarial': 1 / 3,
  'locomo foreign': 1 / 3,
  'locomo renamed': 1 / 3,
  'beam answerable': 1 / 2,
  'beam foreign': 1 / 2,
};

export function examplesOf(cases: readonly ReadCase[]): Example[] {
  return cases.flatMap(({ asked: { kind, set }, signals }) => {
    const group = `${set} ${kind}`;
    const share = SHARES[group];
    return share === undefined
      ? []
      : [{ signals, isAnswerable: kind === 'answerable', group, share }];
  });
}

/** Figures of one set; shares in percent, NaN where there are no such questions. */
export interface AnswerFigures {
  readonly questions: number;
  /** Answerable questions that are refused. */
  readonly falseRefusals: number;
  readonly refused: Readonly<Record<UnanswerableKind, number>>;
  /** AUROC, 0 to 1. */
  readonly separation: Readonly<Record<UnanswerableKind, number>>;
  /** Answerable questions for which a statement with the answer was offered, and for which one is cited. */
  readonly goldOffered: number;
  readonly goldCited: number;
  /** The same of the questions that were not refused. */
  readonly goldCitedOfAnswered: number;
  readonly answerWords: number;
  readonly quotes: number;
  /** The same of what is answered where no model is set: the first statements of the search. */
  readonly plain: { readonly goldCited: number; readonly answerWords: number };
}

function answeredOf({ asked, ...read }: ReadCase, weights: ConfidenceWeights): GoldAnswered {
  const confidence = read.text === '' ? 0 : confidenceOf(read.signals, weights);
  const { answer, gold } = asked;
  return {
    confidence,
    abstained: confidence < LEAST_CONFIDENCE,
    text: read.text,
    citedMessages: read.citedMessages,
    gold,
    answer,
  };
}

/** The first `most` statements that were offered, or all, as an answer. */
function concatenated({ answer, gold, offered }: Case, most = offered.length): GoldAnswered {
  const first = offered.slice(0, most);
  return {
    confidence: 40,
    abstained: false,
    text: first.map(({ text }) => text).join(' '),
    citedMessages: first.flatMap(({ sources }) => sources),
    gold,
    answer,
  };
}

/** Statements that are answered where no model is set. */
const PLAIN_QUOTES = 4;
const PERCENT = 100;

export function figuresFor(cases: readonly ReadCase[], weights: ConfidenceWeights): AnswerFigures {
  const of = (kind: Question['kind']): GoldAnswered[] =>
    cases.filter(({ asked }) => asked.kind === kind).map((read) => answeredOf(read, weights));
  const answerable = of('answerable');
  const others = {
    adversarial: of('adversarial'),
    foreign: of('foreign'),
    renamed: of('renamed'),
    bereft: of('bereft'),
  };
  const offered = cases
    .filter(({ asked }) => asked.kind === 'answerable')
    .map(({ asked }) => asked);
  const plain = offered.map((asked) => concatenated(asked, PLAIN_QUOTES));
  const quotes = answerable.reduce((sum, { text }) => sum + text.split('\n').length, 0);
  return {
    questions: answerable.length,
    falseRefusals: PERCENT * refused(answerable),
    refused: {
      adversarial: PERCENT * refused(others.adversarial),
      foreign: PERCENT * refused(others.foreign),
      renamed: PERCENT * refused(others.renamed),
      bereft: PERCENT * refused(others.bereft),
    },
    separation: {
      adversarial: separation(answerable, others.adversarial),
      foreign: separation(answerable, others.foreign),
      renamed: separation(answerable, others.renamed),
      bereft: separation(answerable, others.bereft),
    },
    goldOffered: PERCENT * citesGold(offered.map((asked) => concatenated(asked))),
    goldCited: PERCENT * citesGold(answerable),
    goldCitedOfAnswered: PERCENT * citesGold(answerable.filter(({ abstained }) => !abstained)),
    answerWords: PERCENT * answerWords(answerable),
    quotes: quotes / answerable.length,
    plain: { goldCited: PERCENT * citesGold(plain), answerWords: PERCENT * answerWords(plain) },
  };
}
