/**
 * The one text folding that every comparison of words starts from: analysis for ranking, query operators,
 * dedupe of statements. Two texts that a reader would call "the same letters" fold to the same string.
 */

/** Invisible joiners and soft hyphens sit inside words and change no letter. */
const INVISIBLE = /\u00AD|[\u200C-\u200F]|\u2060|\uFEFF/gu;
const APOSTROPHES = /[\u2018\u2019\u02BC\u2032\uFF07]/gu;

/**
 * NFKC writes some signs out: U+3316 as six letters, U+FDFA as eighteen. One mebibyte of such signs would become
 * twenty-five in an index. A text that would grow beyond this many times its length consists of such signs: it keeps
 * them as they are. Short texts, such as queries and names, may grow as they need.
 */
const MOST_FOLDED_GROWTH = 2;
const FREE_FOLDED_CHARS = 256;

/** Characters normalised at once to count the length: a text that grows too much is never normalised as a whole. */
const COUNTED_CHARS = 4_096;

function outgrows(text: string, limit: number): boolean {
  let length = 0;
  for (let at = 0; at < text.length && length <= limit; at += COUNTED_CHARS) {
    length += text.slice(at, at + COUNTED_CHARS).normalize('NFKC').length;
  }
  return length > limit;
}

function compatible(text: string): string {
  const limit = MOST_FOLDED_GROWTH * text.length + FREE_FOLDED_CHARS;
  return text.normalize(outgrows(text, limit) ? 'NFC' : 'NFKC');
}

/**
 * NFKC (NFC for a text that NFKC would blow up), lower case, final sigma and apostrophe variants unified, invisible
 * joiners removed. Diacritics stay: they tell words apart in most scripts. Idempotent.
 */
export function foldText(text: string): string {
  return compatible(withPlainSigns(text).toLowerCase().replaceAll('ς', 'σ'));
}

/** The part of `foldText` that keeps the case: capitals say what is a name. */
export function withPlainSigns(text: string): string {
  return compatible(text).replace(INVISIBLE, '').replace(APOSTROPHES, "'");
}

/** The most code units that one folds to. */
const MOST_FOLDED_CHARS_OF_ONE = 18;

/** The text as it is; or, when it folds to more than `most` code units, the first `most` of them. */
export function foldingWithin(text: string, most: number): string {
  if (text.length * MOST_FOLDED_CHARS_OF_ONE <= most) return text;
  const folded = foldText(text);
  if (folded.length <= most) return text;
  const cut = folded.slice(0, most);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
