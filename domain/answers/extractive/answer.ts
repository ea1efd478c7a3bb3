/** The built-in answerer: it quotes the statements that answer, and is as sure as what retrieval knows allows. */
import { confidenceOf, signalsOf } from './confidence.ts';
import { chooseQuotes } from './quotes.ts';
import { readEvidence, type ExtractiveInput } from './reading.ts';
import type { ExtractiveAnswer } from './types.ts';
import type { TextReader } from './words.ts';

/** An answer with less confidence abstains: what it cites is a lead. */
export const LEAST_CONFIDENCE = 50;

const NOTHING: ExtractiveAnswer = { text: '', citedIds: [], confidence: 0, abstained: true };

/**
 * Quotes one to three statements verbatim, each on a line of its own, and nothing else. Where no statement shares a word
 * with the question it cites none, and its confidence is 0. Pure; linear in the texts, of which a bounded part is read.
 */
export function extractAnswer(input: ExtractiveInput, reader: TextReader): ExtractiveAnswer {
  const reading = readEvidence(input, reader);
  const quotes = chooseQuotes(reading);
  if (quotes.length === 0) return NOTHING;
  const confidence = confidenceOf(signalsOf(reading, quotes));
  return {
    text: quotes.map(({ item }) => item.text).join('\n'),
    citedIds: quotes.map(({ item }) => item.id),
    confidence,
    abstained: confidence < LEAST_CONFIDENCE,
  };
}
