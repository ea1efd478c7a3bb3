/** BM25 over whole messages, on words and on stems: the bar that every ranking is compared with. Recomputed in each run. */
import { stemmer } from 'stemmer';
import { stemsOf, wordsOf } from '../metrics/stems.ts';
import type { CorpusMessage } from './corpus.ts';

const K1 = 1.2;
const B = 0.75;

/** Stop words out and stemmed; irregular forms stay apart, as in an ordinary full-text index. */
export function plainStemsOf(text: string): string[] {
  return wordsOf(text)
    .filter((word) => stemsOf(word).length > 0)
    .map((word) => (/^[a-z]+$/u.test(word) ? stemmer(word) : word));
}

interface Counted {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

function count(words: readonly string[]): Counted {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}

/** Ids of the messages that share a word with the question, best first, ties by order. */
export function referenceRanker(
  { messages }: { readonly messages: readonly Pick<CorpusMessage, 'id' | 'content'>[] },
  wordsOfText: (text: string) => string[],
): (question: string) => string[] {
  const documents = messages.map(({ content }) => count(wordsOfText(content)));
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const frequencies = new Map<string, number>();
  for (const word of documents.flatMap(({ counts }) => [...counts.keys()])) {
    frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  const score = ({ counts, length }: Counted, question: readonly string[]): number => {
    let sum = 0;
    for (const word of question) {
      const tf = counts.get(word) ?? 0;
      const df = frequencies.get(word) ?? 0;
      const idf = Math.log1p((messages.length - df + 0.5) / (df + 0.5));
      sum += (idf * tf * (K1 + 1)) / (tf + K1 * (1 - B + (B * length) / mean));
    }
    return sum;
  };
  return (question) => {
    const asked = wordsOfText(question);
    return documents
      .map((document, order) => ({ id: messages[order]?.id ?? '', score: score(document, asked) }))
      .filter((found) => found.score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ id }) => id);
  };
}
