/**
 * Which names a statement mentions. No model is asked: a name is an e-mail address, one to four capitalised words, the
 * name or key of the person that the statement is about where it stands in the text, a name that its scope knows, or, in a
 * script without capitals, what stands in quotes.
 */
import { aliasOf, aliasOfWords, MOST_NAME_WORDS } from './alias.ts';
import { isClearlyCapital, possibleNames } from './possible-names.ts';
import { isConnector, isNoise } from './noise.ts';
import { nameTokensOf, type NameToken, type NameTokens } from './tokens.ts';

/** Names that a statement mentions: those of its subject, then the others in the order of the text. */
export const MOST_MENTIONS = 16;
/** Pieces of a statement that are compared with the names that its scope knows. */
export const MOST_COMPARED = 256;
/** Code units between two quotes. */
const MOST_QUOTED_CHARS = 64;

export interface Mention {
  /** As `aliasOf` folds it. */
  readonly alias: string;
  /** False: one capital at the beginning of a sentence is all that speaks for a name. */
  readonly isSure: boolean;
  /** The name or key of the person that the statement is about. */
  readonly isOfSubject: boolean;
}

/** The person that a statement is about. */
export interface NamedPeer {
  readonly key: string;
  readonly name: string;
}

/** A text, read once. */
export interface NamedText {
  readonly read: NameTokens;
  /** What may be a name that the scope knows; at most `MOST_COMPARED`, each once. */
  readonly compared: readonly string[];
}

/** Reads a text for names. */
export function readNames(text: string): NamedText {
  const read = nameTokensOf(text);
  const compared = possibleNames(read, MOST_COMPARED).map(({ alias }) => alias);
  return { read, compared: [...new Set(compared)] };
}

/** How many tokens, from `at` on, make one name with capitals; 0 for none. */
function spanFrom(tokens: readonly NameToken[], at: number): number {
  const first = tokens[at];
  if (first === undefined || !first.isCapital || isNoise(first.word)) return 0;
  let length = 1;
  for (let words = 1; at + words < tokens.length && words < MOST_NAME_WORDS; words += 1) {
    const token = tokens[at + words];
    if (token === undefined || !token.isJoined || token.isRun) break;
    if (!token.isCapital && isConnector(token.word)) continue;
    if (isNoise(token.word)) break;
    // A number belongs to the name before it.
    if (!token.isCapital && !/^\p{N}/u.test(token.word)) break;
    length = words + 1;
  }
  return length;
}

function capitalised(tokens: readonly NameToken[]): Pick<Mention, 'alias' | 'isSure'>[] {
  const found: Pick<Mention, 'alias' | 'isSure'>[] = [];
  for (let at = 0; at < tokens.length;) {
    const length = spanFrom(tokens, at);
    const [first] = tokens.slice(at, at + length);
    if (first !== undefined) {
      const alias = aliasOfWords(tokens.slice(at, at + length).map(({ word }) => word));
      if (alias !== null) found.push({ alias, isSure: length > 1 || isClearlyCapital(first) });
    }
    at += Math.max(1, length);
  }
  return found;
}

const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '„': '“',
  '«': '»',
  '「': '」',
  '『': '』',
  '《': '》',
  '〈': '〉',
};
const QUOTES = /["“„«「『《〈]/gu;
const WITHOUT_CASE = /^\P{L}*\p{Lo}/u;

/** What stands in quotes and begins with a letter that has no case. */
function quoted(text: string): string[] {
  const found: string[] = [];
  let after = 0;
  for (const { 0: sign, index } of text.matchAll(QUOTES)) {
    if (index < after) continue;
    const rest = text.slice(index + 1, index + 2 + MOST_QUOTED_CHARS);
    const end = rest.indexOf(CLOSING[sign] ?? sign);
    if (end === -1) continue;
    after = index + end + 2;
    const alias = WITHOUT_CASE.test(rest) ? aliasOf(rest.slice(0, end)) : null;
    if (alias !== null) found.push(alias);
  }
  return found;
}

/** The names and keys of the person, where the text names that person at all. */
function ofSubject({ compared }: NamedText, subject: NamedPeer | null): string[] {
  if (subject === null) return [];
  const aliases = [aliasOf(subject.name), aliasOf(subject.key)].filter((alias) => alias !== null);
  const inText = new Set(compared);
  return aliases.some((alias) => inText.has(alias)) ? aliases : [];
}

/**
 * The names that a statement mentions, each once, in an order that the text alone decides. `known` are names of people
 * that other statements of the scope are about.
 */
export function mentionsOf(
  text: NamedText,
  subject: NamedPeer | null,
  known: ReadonlySet<string> = new Set(),
): readonly Mention[] {
  const { read } = text;
  const sure = [
    ...read.addresses.flatMap((address) => aliasOf(address) ?? []),
    ...quoted(read.text),
    ...text.compared.filter((alias) => known.has(alias)),
  ].map((alias) => ({ alias, isSure: true, isOfSubject: false }));
  const all: Mention[] = [
    ...ofSubject(text, subject).map((alias) => ({ alias, isSure: true, isOfSubject: true })),
    ...capitalised(read.tokens).map((mention) => ({ ...mention, isOfSubject: false })),
    ...sure,
  ];
  const first = new Map<string, Mention>();
  for (const mention of all) {
    const before = first.get(mention.alias);
    if (before === undefined) first.set(mention.alias, mention);
    else if (mention.isSure && !before.isSure) first.set(mention.alias, mention);
  }
  return [...first.values()].slice(0, MOST_MENTIONS);
}
