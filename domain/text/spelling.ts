/**
 * Words that differ by a slip of the pen. A slip is a letter left out, put in or replaced, or two neighbouring letters
 * swapped (optimal string alignment, the restricted form of Damerau's distance). Letters are code points of folded words.
 *
 * Two words that are near enough share a key (symmetric deletes: W. Garbe, SymSpell), so that near words are found by
 * equality of keys, at a cost that does not depend on how many words there are.
 */

/** A word as a list of words knows it: Latin letters alone. Other scripts are compared by pieces of words (`analyze`). */
const LISTED = /^\p{sc=Latin}{4,32}$/u;
/** From this many letters on two slips are forgiven, else one. */
const LONG_WORD = 8;
/** The letters of a word, from its start, that keys are made of: with one letter left out, and with two. */
const HEAD_WITHOUT_ONE = 6;
const HEAD_WITHOUT_TWO = 7;
/** Shorter words are keys themselves: a letter more makes them a word whose key they are. */
const SHORT_WORD = 5;

/** Whether a folded word may stand in the list of words of a scope, and be looked for in it. */
export function isListedWord(word: string): boolean {
  return LISTED.test(word);
}

/** How many slips are forgiven in a word of so many letters. */
function slipsOf(letters: number): number {
  return letters < LONG_WORD ? 1 : 2;
}

/** Each way to leave out one letter. */
function withoutOne(letters: readonly string[]): string[][] {
  return letters.map((_, at) => letters.toSpliced(at, 1));
}

/**
 * The keys of a listed word: at most 29, of three to five letters. Two listed words within the slips that the shorter one is
 * forgiven share one.
 */
export function spellingKeys(word: string): string[] {
  const letters = Array.from(word);
  const keys = new Set<string>();
  if (letters.length <= LONG_WORD) {
    for (const key of withoutOne(letters.slice(0, HEAD_WITHOUT_ONE))) keys.add(key.join(''));
    if (letters.length <= SHORT_WORD) keys.add(word);
  }
  if (letters.length >= LONG_WORD) {
    for (const one of withoutOne(letters.slice(0, HEAD_WITHOUT_TWO))) {
      // The digit keeps them apart from keys of short words, which have as many letters.
      for (const key of withoutOne(one)) keys.add(`2${key.join('')}`);
    }
  }
  return [...keys];
}

type Letters = readonly string[];

/** Row `i` of the table of distances, from the two rows before it. */
function nextRow(
  a: Letters,
  b: Letters,
  i: number,
  last: readonly number[],
  before: readonly number[],
): number[] {
  const row = [i];
  for (let j = 1; j <= b.length; j += 1) {
    const isSame = a[i - 1] === b[j - 1];
    const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    row.push(
      Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
      ),
    );
  }
  return row;
}

/**
 * How many slips make one word out of the other, if at most `most`; else null. Time grows with the product of the lengths:
 * both are listed words, of at most 32 letters.
 */
export function slipsBetween(one: string, other: string, most: number): number | null {
  const a = Array.from(one);
  const b = Array.from(other);
  if (Math.abs(a.length - b.length) > most) return null;
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = nextRow(a, b, i, last, before);
    if (Math.min(...row) > most) return null;
    before = last;
    last = row;
  }
  const slips = last[b.length] ?? 0;
  return slips <= most ? slips : null;
}

/** A word of the scopes, with the number of statements that hold it. */
export interface ListedWord {
  readonly word: string;
  readonly statements: number;
}

interface Near {
  readonly listed: ListedWord;
  readonly slips: number;
  readonly hasOtherStart: boolean;
}

/** By code points: the order of the database, which does not depend on a locale. */
function byWord(a: ListedWord, b: ListedWord): number {
  const left = Array.from(a.word);
  const right = Array.from(b.word);
  const at = left.findIndex((letter, n) => letter !== right[n]);
  if (at < 0) return left.length - right.length;
  return (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1);
}

/**
 * The listed word that `word` is meant to be: one with as few slips as any; of these, one with the same first letter, then
 * the one in most statements, then the first by code points. Null where none is near enough.
 */
export function wordMeantBy(word: string, listed: Iterable<ListedWord>): ListedWord | null {
  const letters = Array.from(word);
  const near: Near[] = [];
  for (const one of listed) {
    const others = Array.from(one.word);
    const forgiven = slipsOf(Math.min(letters.length, others.length));
    const slips = slipsBetween(word, one.word, forgiven);
    if (slips === null || slips === 0) continue;
    near.push({ listed: one, slips, hasOtherStart: others[0] !== letters[0] });
  }
  const [best] = near.toSorted(
    (a, b) =>
      a.slips - b.slips ||
      Number(a.hasOtherStart) - Number(b.hasOtherStart) ||
      b.listed.statements - a.listed.statements ||
      byWord(a.listed, b.listed),
  );
  return best?.listed ?? null;
}
