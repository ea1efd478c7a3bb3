/**
 * Two baselines, extractors without any understanding of the text: one takes every sentence, the other every
 * declarative sentence with enough content words. They are recomputed in each run, so that they fit the data when it
 * changes.
 */
import { stemsOf } from './stems.ts';
import type { Cited } from './extraction.ts';

export interface SpokenMessage {
  readonly id: string;
  readonly speaker: string;
  readonly content: string;
}

const SENTENCE_END = /(?<=[.!?])\s+|\n+/u;
const QUESTION = /\?["')\]\s]*$/u;
const GREETING =
  /^(?:hey|hi|hello|thanks|thank you|bye|goodbye|good morning|good evening|congrats)\b/iu;
const CONTENT_WORDS = 4;

function everySentence({ id, speaker, content }: SpokenMessage): Cited[] {
  return content
    .split(SENTENCE_END)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    .map((sentence) => ({ text: `${speaker} ${sentence}`, sources: [id], subject: speaker }));
}

/** Every sentence as a statement about its speaker. */
export function sentenceBaseline(messages: readonly SpokenMessage[]): Cited[] {
  return messages.flatMap(everySentence);
}

/** No question, no greeting, at least four content words. */
export function declarativeBaseline(messages: readonly SpokenMessage[]): Cited[] {
  return messages.flatMap((message) =>
    everySentence(message).filter(({ text }) => {
      const sentence = text.slice(message.speaker.length + 1);
      const statement = !QUESTION.test(sentence) && !GREETING.test(sentence);
      return statement && stemsOf(sentence).length >= CONTENT_WORDS;
    }),
  );
}
