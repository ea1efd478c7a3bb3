/** The list of words of a conversation in memory, and what an unknown word of a question is meant to be. */
import { spellingKeys, type ListedWord } from '../../../domain/text/spelling.ts';
import { isCompound, type QuestionReading } from '../../../engine/text/ranked-question.ts';
import {
  listedWords,
  MOST_REPAIRED_WORDS,
  repairableWords,
  repairsOf,
  type Repair,
} from '../../../engine/text/word-list.ts';
import type { CorpusConversation } from './corpus.ts';
import { statementsOf } from './statements.ts';

/** As `WordListsStore.near` for one word. */
export type NearWords = (word: string) => readonly ListedWord[];

/** The words of the statements that every reader of a scope may read. */
export function nearWordsOf(texts: readonly string[]): NearWords {
  const statements = new Map<string, number>();
  for (const text of texts) {
    for (const word of listedWords(text)) statements.set(word, (statements.get(word) ?? 0) + 1);
  }
  const byKey = new Map<string, string[]>();
  for (const word of statements.keys()) {
    for (const key of spellingKeys(word)) byKey.set(key, [...(byKey.get(key) ?? []), word]);
  }
  return (word) => {
    const near = new Set(spellingKeys(word).flatMap((key) => byKey.get(key) ?? []));
    return Array.from(near, (other) => ({ word: other, statements: statements.get(other) ?? 0 }));
  };
}

const known = new WeakMap<CorpusConversation, NearWords>();

/** Made once for each conversation. */
export function nearWords(conversation: CorpusConversation): NearWords {
  const made =
    known.get(conversation) ??
    nearWordsOf(
      statementsOf(conversation)
        .filter(({ counts }) => counts)
        .map(({ text }) => text),
    );
  known.set(conversation, made);
  return made;
}

/** What the unknown words of a question are meant to be, as `readKnownWords` finds it. */
export function repairsIn(
  question: string,
  reading: QuestionReading,
  frequency: (term: string) => number,
  near: NearWords,
): readonly Repair[] {
  const compounds = new Set(
    reading.compounds.filter((one) => isCompound(one, frequency)).map(({ term }) => term),
  );
  const unknown = repairableWords([question])
    .filter(({ term }) => frequency(term) === 0 && !compounds.has(term))
    .slice(0, MOST_REPAIRED_WORDS);
  return repairsOf(unknown, new Map(unknown.map(({ word }) => [word, near(word)] as const)));
}
