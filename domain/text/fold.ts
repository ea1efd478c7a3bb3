/**
 * The one text folding that every comparison of words starts from: analysis for ranking, query operators,
 * dedupe of statements. Two texts that a reader would call "the same letters" fold to the same string.
 */

/** Invisible joiners and soft hyphens sit inside words and change no letter. */
const INVISIBLE = /\u00AD|[\u200C-\u200F]|\u2060|\uFEFF/gu;
const APOSTROPHES = /[\u2018\u2019\u02BC\u2032\uFF07]/gu;

/**
 * NFKC, lower case, final sigma and apostrophe variants unified, invisible joiners removed.
 * Diacritics stay: they tell words apart in most scripts. Idempotent.
 */
export function foldText(text: string): string {
  const visible = text.normalize('NFKC').replace(INVISIBLE, '').replace(APOSTROPHES, "'");
  return visible.toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}
