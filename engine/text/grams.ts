/** Pieces of words, for scripts and languages that no stemmer serves. */
import { characters } from '../../domain/text/tokens.ts';

const GRAM = 4;

/** A gram is never equal to a word: the mark keeps `haus` inside `haustür` apart from the word `haus`. */
const MARK = '~';

/** Character 4-grams of a word, by code point; a shorter word is its own gram. */
export function gramsOf(word: string): string[] {
  const points = Array.from(`_${word}_`);
  if (points.length < GRAM) return [MARK + word];
  return points.slice(0, 1 - GRAM).map((_, i) => MARK + points.slice(i, i + GRAM).join(''));
}

/** Overlapping pairs of characters (each with its marks); a single character is its own term. */
export function bigramsOf(run: string): string[] {
  const chars = characters(run);
  if (chars.length < 2) return chars;
  return chars.slice(1).map((char, i) => `${chars[i] ?? ''}${char}`);
}

const SEGMENTER = new Intl.Segmenter('th', { granularity: 'word' });

/** Words of a run of Thai, Lao, Khmer or Myanmar, by the dictionary of the runtime. */
export function dictionaryWords(run: string): string[] {
  return Array.from(SEGMENTER.segment(run), (part) => part.segment);
}
