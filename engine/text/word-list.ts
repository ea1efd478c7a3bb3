/** The words of texts as a list of words knows them, and the words of a question that are looked for in it. */
import { isListedWord, wordMeantBy, type ListedWord } from '../../domain/text/spelling.ts';
import { words } from '../../domain/text/tokens.ts';
import { contentStem } from '../english/analysis.ts';
import { isFunctionWord } from '../english/function-words.ts';
import { framesQuestion } from '../english/question-frame.ts';
import { relatedStems } from '../english/related-words.ts';

/** Words of a statement that are listed, the first ones. Each may be 27 rows; an ordinary statement has some eight. */
export const MOST_LISTED_WORDS = 32;
/** Unknown words of a query that are looked for, the first ones. */
export const MOST_REPAIRED_WORDS = 6;

/** A word of a question, and its term. */
export interface AskedWord {
  readonly word: string;
  readonly term: string;
}

/** The distinct content words of a text that may be listed, each with its term, in order. */
function contentWords(texts: readonly string[]): AskedWord[] {
  const found = new Map<string, string>();
  for (const word of texts.flatMap(words)) {
    if (found.has(word) || !isListedWord(word) || isFunctionWord(word)) continue;
    const term = contentStem(word);
    if (term !== null && term !== '') found.set(word, term);
  }
  return Array.from(found, ([word, term]) => ({ word, term }));
}

/** The words that a statement lists: at most 32, folded, each once. */
export function listedWords(statement: string): string[] {
  return contentWords([statement])
    .slice(0, MOST_LISTED_WORDS)
    .map(({ word }) => word);
}

/** Words that the lists of this service know are spelt right, whether a statement holds them or not. */
function isEverydayWord(term: string): boolean {
  return framesQuestion(term) || relatedStems(term).length > 0;
}

/** The words of a question that may be repaired where nobody has used them. */
export function repairableWords(freeWords: readonly string[]): AskedWord[] {
  return contentWords(freeWords).filter(({ term }) => !isEverydayWord(term));
}

/** What an unknown word is taken for. */
export interface Repair {
  /** The term of the question that nobody has used. */
  readonly term: string;
  /** The term of the word that it is meant to be, and the statements that hold the word. */
  readonly meant: string;
  readonly statements: number;
}

/** The repair of each word that is near a listed one. `near` has listed words by unknown one. */
export function repairsOf(
  unknown: readonly AskedWord[],
  near: ReadonlyMap<string, readonly ListedWord[]>,
): Repair[] {
  return unknown.flatMap(({ term, word }) => {
    const listed = wordMeantBy(word, near.get(word) ?? []);
    const meant = listed === null ? null : contentStem(listed.word);
    return listed === null || meant === null
      ? []
      : [{ term, meant, statements: listed.statements }];
  });
}
