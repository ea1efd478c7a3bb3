/** Words that some write as one and others as two: `road trip` and `roadtrip`. */
import { contentStem } from './analysis.ts';

const ENGLISH = /^[a-z]+$/u;
const SHORTEST_PART = 3;
/** A longer word is no compound of two that people would write apart. */
const LONGEST_COMPOUND = 24;

/** Stems of neighbouring words written as one. `words` are folded and in the order of the text. */
export function joinedStems(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1];
    if (next === undefined || !ENGLISH.test(word) || !ENGLISH.test(next)) return [];
    if (word.length + next.length > LONGEST_COMPOUND) return [];
    return contentStem(word + next) ?? [];
  });
}

/** All ways to write a folded word as two, as stems of both; at most eighteen. */
export function splitStems(word: string): (readonly [first: string, second: string])[] {
  if (!ENGLISH.test(word) || word.length > LONGEST_COMPOUND) return [];
  const splits: (readonly [string, string])[] = [];
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at += 1) {
    const first = contentStem(word.slice(0, at));
    const second = contentStem(word.slice(at));
    if (first !== null && second !== null) splits.push([first, second]);
  }
  return splits;
}
