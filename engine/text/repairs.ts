/** Words of a question that no counted statement holds, and the terms that they may be meant to be (ADR 50). */
import { isRepairable, oneSlipAway } from '../../domain/text/spelling.ts';
import { words } from '../../domain/text/tokens.ts';
import { contentStem } from '../english/analysis.ts';
import { isFunctionWord } from '../english/function-words.ts';
import { framesQuestion } from '../english/question-frame.ts';
import { relatedStems } from '../english/related-words.ts';
import { isCompound, type QuestionReading } from './ranked-question.ts';

/** Unknown words of a query that are looked for, the first ones. */
export const MOST_REPAIRED_WORDS = 3;

/**
 * Letters of these words together: a letter stands for 52 words that are made, stemmed and looked up. At this bound that
 * is some 20 ms of the event loop.
 */
export const MOST_REPAIRED_LETTERS = 40;

/** A word of a question, and its term. */
export interface AskedWord {
  readonly word: string;
  readonly term: string;
}

/** An unknown word with the terms of the words one slip away from it. */
export interface UnknownWord extends AskedWord {
  /** By term, whether a word with this term begins with the same letter. */
  readonly candidates: ReadonlyMap<string, boolean>;
}

/** What an unknown word is taken for. */
export interface Repair {
  /** The term of the question that no counted statement holds. */
  readonly term: string;
  /** The term that it is meant to be. */
  readonly meant: string;
}

type Frequency = (term: string) => number;

function contentTerm(word: string): string | null {
  return isFunctionWord(word) ? null : contentStem(word);
}

/** Words that the lists of this service know are spelt right, whether a statement holds them or not. */
function isEverydayWord(term: string): boolean {
  return framesQuestion(term) || relatedStems(term).length > 0;
}

/** The distinct words of a question that may be repaired where no counted statement holds them, in order. */
export function repairableWords(freeWords: readonly string[]): AskedWord[] {
  return [...new Set(freeWords.flatMap(words))].filter(isRepairable).flatMap((word) => {
    const term = contentTerm(word);
    return term === null || isEverydayWord(term) ? [] : [{ word, term }];
  });
}

function candidatesOf({ term, word }: AskedWord): UnknownWord['candidates'] {
  const found = new Map<string, boolean>();
  for (const near of oneSlipAway(word)) {
    const other = contentTerm(near);
    if (other === null || other === term) continue;
    found.set(other, found.get(other) === true || near.startsWith(word.charAt(0)));
  }
  return found;
}

/** The first words that have no more letters together than are looked for. */
function affordable(asked: readonly AskedWord[]): readonly AskedWord[] {
  let letters = 0;
  return asked.slice(0, MOST_REPAIRED_WORDS).filter(({ word }) => {
    letters += word.length;
    return letters <= MOST_REPAIRED_LETTERS;
  });
}

/** The first words of a question that no counted statement holds, as they are or as two words. */
export function unknownWords(
  repairable: readonly AskedWord[],
  { compounds }: Pick<QuestionReading, 'compounds'>,
  frequency: Frequency,
): UnknownWord[] {
  const known = new Set(
    compounds.filter((one) => isCompound(one, frequency)).map(({ term }) => term),
  );
  const unknown = repairable.filter(({ term }) => frequency(term) === 0 && !known.has(term));
  return affordable(unknown).map((asked) => ({ ...asked, candidates: candidatesOf(asked) }));
}

/**
 * The repair of each unknown word of which a statement holds a candidate: one of a word with the same first letter before
 * others, then the one in most statements, then the first by code units.
 */
export function repairsOf(unknown: readonly UnknownWord[], frequency: Frequency): Repair[] {
  return unknown.flatMap(({ candidates, term }) => {
    const [best] = Array.from(candidates, ([meant, hasSameStart]) => ({
      meant,
      hasSameStart,
      statements: frequency(meant),
    }))
      .filter(({ statements }) => statements > 0)
      .toSorted(
        (a, b) =>
          Number(b.hasSameStart) - Number(a.hasSameStart) ||
          b.statements - a.statements ||
          (a.meant < b.meant ? -1 : 1),
      );
    return best === undefined ? [] : [{ term, meant: best.meant }];
  });
}
