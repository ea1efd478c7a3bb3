/** How the functions that read texts of answers are called with a pump. */
import { parseQuery } from '../../../domain/query/parse-query.ts';
import { EXTRACTIVE_READER } from '../../../engine/answers/extractive.ts';
import { contentTerms } from '../../../engine/text/analyze.ts';
import { askedOf } from './carriers.ts';

/** Calls a function with the text as one of its arguments. */
export type Call = (fn: (...args: unknown[]) => unknown, text: string) => unknown;

/** The longest name, in characters; pumps for names are cut to it. */
const NAME_CHARS = 200;

/** The pump as the question, as the evidence, as both and as the name of a person. */
const asksFrom: readonly Call[] = [
  (fn, text) => fn(askedOf(text, 'Ada moved to Oslo.'), EXTRACTIVE_READER),
  (fn, text) => fn(askedOf('When did Ada move to Oslo?', text), EXTRACTIVE_READER),
  (fn, text) => fn(askedOf(text, text), EXTRACTIVE_READER),
  (fn, text) =>
    fn(
      askedOf('When did Ada move to Oslo?', 'Ada moved.', text.slice(0, NAME_CHARS)),
      EXTRACTIVE_READER,
    ),
];

const offered = (text: string) => ({ id: 'id', text, validityPhrase: 'no dates known' });

const writtenReply = (text: string) => ({
  kind: 'written',
  written: { text, citedIds: ['id'], abstained: false, confidence: 90 },
  promptTokens: 0,
});

export const ANSWER_CALLS: Readonly<Record<string, readonly Call[]>> = {
  'domain/answers/extractive/answer.ts#extractAnswer': asksFrom,
  'domain/answers/extractive/reading.ts#readEvidence': asksFrom,
  'domain/answers/outcome.ts#outcomeOf': [
    (fn, text) => fn(text, [offered('Ada moved.')], writtenReply('Ada moved.'), contentTerms),
    (fn, text) => fn('Who moved?', [offered(text)], writtenReply(text), contentTerms),
  ],
  'domain/query/inherited.ts#withQueryOperatorsOf': [
    (fn, text) => fn(parseQuery('"to Oslo" -Bergen or Ada'), text),
    (fn, text) => fn(parseQuery(text.slice(0, 4_096)), text),
  ],
  'engine/answers/recall/model-plan.ts#readPlan': [(fn, text) => fn(text, { evidence: [] })],
  'operations/retrieval/recall/messages.ts#messageEvidence': [
    (fn, text) => fn('id', text, '/home', null, 0),
  ],
  'engine/answers/extractive.ts#answerExtractively': asksFrom,
};
