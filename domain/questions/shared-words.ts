/** Whether what a person talks about and a statement have a word in common. */
import { characters, segments, wordForms } from '../text/tokens.ts';

const LEAST_LETTERS = 3;
/** A syllable of Hangul is a letter by its code point, and most Korean words have two. */
const HANGUL = /^\p{Script=Hangul}+$/u;

function isWord(form: string): boolean {
  const letters = characters(form).length;
  return letters >= LEAST_LETTERS || (letters === 2 && HANGUL.test(form));
}

/** Pairs of neighbouring characters: what stands for words in scripts that are written without spaces. */
function pairs(run: string): string[] {
  const all = characters(run);
  return all.slice(1).map((character, n) => `${all[n] ?? ''}${character}`);
}

/** The words of three letters or more, folded, and the pairs of scripts without spaces. */
export function questionWords(text: string): ReadonlySet<string> {
  return new Set(
    segments(text).flatMap(({ kind, text: segment }) =>
      kind === 'word' ? wordForms(segment).filter(isWord) : pairs(segment),
    ),
  );
}

/** Whether a question about the statement fits to the words of a read. A read without a query fits to every question. */
export function fitsTo(asked: ReadonlySet<string> | null, statement: string): boolean {
  if (asked === null) return true;
  for (const word of questionWords(statement)) if (asked.has(word)) return true;
  return false;
}
