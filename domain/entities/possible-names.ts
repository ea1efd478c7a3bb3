/** What could be a name in a text: to be compared with the names that a scope knows. */
import { aliasOfWords, MOST_NAME_WORDS } from './alias.ts';
import { isNoise } from './noise.ts';
import { nameTokensOf, type NameToken, type NameTokens } from './tokens.ts';

/** Characters of a name in a script without spaces, fewest and most. */
const FEWEST_RUN_CHARS = 2;
export const MOST_RUN_CHARS = 8;

export interface PossibleName {
  readonly alias: string;
  /** Where it begins, and how far it reaches: words, and characters of runs. */
  readonly from: number;
  readonly length: number;
  /** One word, and nothing of a run: a longer name may contain it. */
  readonly isSingle: boolean;
  /** A capital says that the word is a name. */
  readonly isCapital: boolean;
}

/** A capital that does not just begin a sentence. */
export function isClearlyCapital(token: NameToken): boolean {
  return token.isCapital && (!token.isInitial || token.hasInnerCapital);
}

const ONLY_DIGITS = /^\p{N}+$/u;

function possibleNameOfWords(tokens: readonly NameToken[], from: number): PossibleName | null {
  const [first] = tokens;
  const last = tokens.at(-1);
  if (first === undefined || last === undefined) return null;
  if (tokens.some(({ isRun }) => isRun)) return null;
  if (isNoise(first.word) || isNoise(last.word) || ONLY_DIGITS.test(first.word)) return null;
  const alias = aliasOfWords(tokens.map(({ word }) => word));
  const isSingle = tokens.length === 1 && !first.word.includes(' ');
  const isCapital = isClearlyCapital(first);
  return alias === null ? null : { alias, from, length: tokens.length, isSingle, isCapital };
}

/** The pieces of a run, one by one: a run of thousands of characters has far more than are compared. */
function* possibleNamesOfRun({ units }: NameToken, from: number): Generator<PossibleName> {
  for (let at = 0; at < units.length; at += 1) {
    const longest = Math.min(MOST_RUN_CHARS, units.length - at);
    for (let length = FEWEST_RUN_CHARS; length <= longest; length += 1) {
      const alias = aliasOfWords([units.slice(at, at + length).join('')]);
      if (alias === null) continue;
      yield { alias, from: from + at, length, isSingle: false, isCapital: false };
    }
  }
}

/** Possible names of a query: of the rest, no entity is looked up. */
export const MOST_QUERY_NAMES = 128;

const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/u;

/**
 * What may be a name in a query, whose words that rank are `ranking`, folded: words that it excludes are left out. The
 * query itself shows capitals.
 */
export function namesInQuery(query: string, ranking: string): readonly PossibleName[] {
  const asked = ranking.replaceAll("'", '');
  return possibleNames(nameTokensOf(query), MOST_QUERY_NAMES).filter(({ alias }) =>
    alias.split(BETWEEN_WORDS).every((word) => asked.includes(word)),
  );
}

/** At most `most` of them, in the order of the text: addresses, runs of one to four words, pieces of runs. */
export function possibleNames({ addresses, tokens }: NameTokens, most: number): PossibleName[] {
  const found: PossibleName[] = addresses
    .flatMap((address) => aliasOfWords([address]) ?? [])
    .map((alias, n) => ({ alias, from: -1 - n, length: 1, isSingle: false, isCapital: false }));
  let from = 0;
  for (const [at, token] of tokens.entries()) {
    if (found.length >= most) break;
    if (token.isRun) {
      for (const possible of possibleNamesOfRun(token, from)) {
        found.push(possible);
        if (found.length >= most) break;
      }
    } else {
      for (let words = 1; words <= MOST_NAME_WORDS && at + words <= tokens.length; words += 1) {
        const possible = possibleNameOfWords(tokens.slice(at, at + words), from);
        if (possible !== null) found.push(possible);
      }
    }
    from += token.units.length;
  }
  return found.slice(0, most);
}
