/**
 * The words of a text with what tells that they are names: capitals, places in sentences, and what stands between them.
 * Addresses are found apart. Linear in the length of the text, of which a bounded part is read.
 */
import { foldText, withPlainSigns } from '../text/fold.ts';
import { characters, placedSegments } from '../text/tokens.ts';
import { foldWord } from './alias.ts';
import { isTitle } from './noise.ts';

/** Code units of a text that are read for names. */
export const MOST_CHARS_READ = 4_096;
/** Code units of the part of an address before its sign, and after it. */
const MOST_LOCAL_CHARS = 64;
const MOST_DOMAIN_CHARS = 100;

export interface NameToken {
  /** Folded; a run of a script without spaces stays whole. */
  readonly word: string;
  /** A run of characters that only a dictionary could cut into words. */
  readonly isRun: boolean;
  readonly isCapital: boolean;
  /** It has a capital after its first letter. */
  readonly hasInnerCapital: boolean;
  /** It begins the text, a sentence, a quote or a bracket: a capital says nothing there. */
  readonly isInitial: boolean;
  /** Nothing but one space, `-` or `&` separates it from the token before, which is no possessive. */
  readonly isJoined: boolean;
  /** The characters of a run; the word itself otherwise. */
  readonly units: readonly string[];
}

export interface NameTokens {
  readonly tokens: readonly NameToken[];
  /** Folded e-mail addresses, each once. */
  readonly addresses: readonly string[];
  /** The part of the text that was read, with its case. */
  readonly text: string;
}

const LOCAL = /[\p{L}\p{N}._%+-]/u;
const DOMAIN = /[\p{L}\p{N}.-]/u;
const EDGE = /[.-]/u;
const CAPITAL = /^[\p{Lu}\p{Lt}]/u;
const INNER_CAPITAL = /^.\P{Lu}*\p{Lu}/u;
const BEGINS = /[.!?:;\n"“”«»「」『』()[\]]/u;
const JOINS = new Set([' ', '\u00A0', '-', '\u2010', '\u2011', '&', ' & ']);

interface Address {
  readonly from: number;
  readonly until: number;
}

/** How far, from `at` on in steps of 1 or -1, characters match; at most `most`. */
function reach(text: string, at: number, step: 1 | -1, sign: RegExp, most: number): number {
  let length = 0;
  while (length < most && sign.test(text.charAt(at + step * length))) length += 1;
  return length;
}

/** Where the address around an `@` stands; null where there is none. A point or dash at an edge is none of it. */
function addressAround(text: string, at: number): Address | null {
  const left = at - reach(text, at - 1, -1, LOCAL, MOST_LOCAL_CHARS);
  const right = at + 1 + reach(text, at + 1, 1, DOMAIN, MOST_DOMAIN_CHARS);
  const from = left + reach(text, left, 1, EDGE, MOST_LOCAL_CHARS);
  const until = right - reach(text, right - 1, -1, EDGE, MOST_DOMAIN_CHARS);
  return from < at && text.slice(at + 1, until).includes('.') ? { from, until } : null;
}

function addressesIn(text: string): Address[] {
  const found: Address[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const address = addressAround(text, at);
    if (address !== null && address.from >= (found.at(-1)?.until ?? 0)) found.push(address);
  }
  return found;
}

/** The text with points in the place of the addresses, so that none of their words is a name. */
function withoutAddresses(text: string, addresses: readonly Address[]): string {
  const kept: string[] = [];
  let at = 0;
  for (const { from, until } of addresses) {
    kept.push(text.slice(at, from), '.'.repeat(until - from));
    at = until;
  }
  return kept.join('') + text.slice(at);
}

/** Reads the first `MOST_CHARS_READ` code units. */
export function nameTokensOf(whole: string): NameTokens {
  const text = withPlainSigns(whole.slice(0, MOST_CHARS_READ));
  const addresses = addressesIn(text);
  const plain = withoutAddresses(text, addresses);
  const tokens: NameToken[] = [];
  let end = 0;
  let wasPossessive = false;
  for (const { index, kind, text: raw } of placedSegments(plain)) {
    const word = foldWord(raw);
    const gap = plain.slice(end, index);
    const before = tokens.at(-1);
    const isRun = kind !== 'word';
    if (word !== '') {
      tokens.push({
        word,
        isRun,
        isCapital: CAPITAL.test(raw),
        hasInnerCapital: INNER_CAPITAL.test(raw),
        isInitial: before === undefined || (BEGINS.test(gap) && !isTitle(before.word)),
        isJoined: before !== undefined && !wasPossessive && JOINS.has(gap),
        units: isRun ? characters(word) : [word],
      });
    }
    wasPossessive = raw.endsWith("'s");
    end = index + raw.length;
  }
  const folded = addresses.map(({ from, until }) => foldText(text.slice(from, until)));
  return { tokens, addresses: [...new Set(folded)], text };
}
