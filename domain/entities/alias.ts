/** Names as they are compared: folded, without possessives and signs, their words separated by one space. */
import { isLongerThan } from '../query/bounds.ts';
import { foldText } from '../text/fold.ts';

/** Words of a name. */
export const MOST_NAME_WORDS = 4;
/** UTF-8 bytes of a folded name; longer ones are no names. */
export const MOST_ALIAS_BYTES = 128;

const POSSESSIVE = /'s$|'$/u;
const NOT_OF_WORDS = /[^\p{L}\p{N}\p{M}]+/gu;

/** One word of a name: `Anna's` is `anna`, `O'Brien` is `obrien`. A sign inside makes it several words. */
export function foldWord(word: string): string {
  return foldText(word)
    .replace(POSSESSIVE, '')
    .replaceAll("'", '')
    .replace(NOT_OF_WORDS, ' ')
    .trim();
}

function isOfSize(alias: string): boolean {
  return alias !== '' && !isLongerThan(alias, MOST_ALIAS_BYTES);
}

/** The name that the words make; null when it has too many words or bytes, or none. */
export function aliasOfWords(words: readonly string[]): string | null {
  const alias = words.filter((word) => word !== '').join(' ');
  return isOfSize(alias) && alias.split(' ').length <= MOST_NAME_WORDS ? alias : null;
}

/** The folded name or key of a peer, or null as for `aliasOfWords`. An e-mail address stays whole. */
export function aliasOf(name: string): string | null {
  if (name.includes('@') && !/\s/u.test(name)) {
    const address = foldText(name);
    return isOfSize(address) ? address : null;
  }
  return aliasOfWords(name.split(/\s+/u).map(foldWord));
}

/** The words by which a name is found: one for each. Addresses and names without spaces are one word. */
export function wordsOfAlias(alias: string): readonly string[] {
  return [...new Set(alias.split(' '))];
}

/** The first of `wordsOfAlias`. */
export function leadOfAlias(alias: string): string {
  const end = alias.indexOf(' ');
  return end === -1 ? alias : alias.slice(0, end);
}
