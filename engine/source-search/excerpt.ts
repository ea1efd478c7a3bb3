/** The excerpt of a message: around the words of the query where they stand closest together. */
import { excerptAround, countClusters } from '../../domain/text/excerpt.ts';
import type { Span } from '../../domain/text/span.ts';
import { characters } from '../../domain/text/tokens.ts';
import { analyze } from '../text/analyze.ts';
import { LONGEST_PASSAGE } from '../analysis/passages.ts';

export interface FoundText {
  /** The message, or a part of it around what was found. */
  readonly text: string;
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
  /** Code points of `text` before the passage that was found; null where its place is not known. */
  readonly passageAt: number | null;
}

interface Word {
  /** In code units of the text that was read. */
  readonly from: number;
  readonly until: number;
  /** The terms of the query that it holds. */
  readonly terms: readonly string[];
}

/** Words of scripts with spaces, and pairs of characters of scripts without them. */
const SPACED = /[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'\u2019]*)/gu;
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** A run of characters without spaces is looked at in pieces of this many, overlapping by all but one. */
const PIECE = 4;
/** Nobody writes a longer word. */
const LONGEST_WORD = 64;
/** Different words of one text that are analysed: some 25 ms. */
const MOST_ANALYSED_WORDS = 1_000;
/** Of a message with an unknown place, words are looked for in the first code units. */
export const UNPLACED_CHARS = 16_384;
/** Characters with more code units than this on average are counted as if they had as many. */
const MOST_UNITS_PER_CLUSTER = 8;

type TermsOf = (word: string) => readonly string[];

/** The terms of a word as far as the query asks for them. */
export interface AskedTerms {
  readonly own: TermsOf;
  /** Those that may stand for words of the query. */
  readonly instead: TermsOf;
}

/** The terms of words as texts are analysed, each word once. */
export function termsAskedFor(
  own: ReadonlySet<string>,
  instead: ReadonlySet<string> = new Set(),
): AskedTerms {
  const known = new Map<string, readonly string[]>();
  const among =
    (asked: ReadonlySet<string>): TermsOf =>
    (word) => {
      const terms =
        known.get(word) ??
        [...analyze(word).terms.keys()].filter((term) => own.has(term) || instead.has(term));
      known.set(word, terms);
      return terms.filter((term) => asked.has(term));
    };
  return { own: among(own), instead: among(instead) };
}

/** The words of the query in a text, in order. */
function wordsIn(text: string, termsOf: TermsOf): Word[] {
  const words: Word[] = [];
  const different = new Set<string>();
  const add = (word: string, from: number): void => {
    if (different.size >= MOST_ANALYSED_WORDS && !different.has(word)) return;
    different.add(word);
    const terms = termsOf(word);
    if (terms.length > 0) words.push({ from, until: from + word.length, terms });
  };
  for (const { 0: run, index } of text.matchAll(SPACED)) {
    if (!UNSPACED.test(run)) {
      add(run.slice(0, LONGEST_WORD), index);
      continue;
    }
    const inRun = characters(run);
    let from = index;
    inRun.forEach((character, n) => {
      add(inRun.slice(n, n + PIECE).join(''), from);
      from += character.length;
    });
  }
  return words;
}

/** The first stretch of at most `room` code units with the most different terms; null without any word. */
function densest(words: readonly Word[], room: number): { from: number; until: number } | null {
  const counts = new Map<string, number>();
  let best: { from: number; until: number } | null = null;
  let most = 0;
  let first = 0;
  words.forEach((word) => {
    for (const term of word.terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (let head = words[first]; head !== undefined && word.until - head.from > room;) {
      if (head === word) break;
      for (const term of head.terms) {
        const left = (counts.get(term) ?? 1) - 1;
        if (left === 0) counts.delete(term);
        else counts.set(term, left);
      }
      first += 1;
      head = words[first];
    }
    const head = words[first];
    if (counts.size <= most || head === undefined) return;
    most = counts.size;
    best = { from: head.from, until: word.until };
  });
  return best;
}

/** Code units of the first `points` code points. */
function unitsOf(text: string, points: number): number {
  let units = 0;
  for (let left = points; left > 0 && units < text.length; left -= 1) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return units;
}

const pointsOf = (text: string): number => {
  let points = 0;
  for (let unit = 0; unit < text.length; points += 1) {
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  }
  return points;
};

/** The part of a whole text that an excerpt around the passage can show; a long text is not walked over for more. */
function near({ passageAt, text, ...cut }: FoundText, clusters: number): FoundText {
  const longest = 2 * (LONGEST_PASSAGE + 2 * clusters);
  const most = passageAt === null ? UNPLACED_CHARS : longest;
  if (text.length <= most) return { passageAt, text, ...cut };
  const from = passageAt === null ? 0 : unitsOf(text, Math.max(0, passageAt - clusters));
  const part = text.slice(from, from + most);
  const isWhole = part.isWellFormed();
  return {
    text: isWhole ? part : part.slice(0, -1),
    passageAt: passageAt === null ? null : Math.min(passageAt, clusters),
    isCutBefore: cut.isCutBefore || from > 0,
    isCutAfter: cut.isCutAfter || from + part.length < text.length,
  };
}

/**
 * At most `clusters` grapheme clusters, ellipses included, around the words of the query in the passage; where it holds
 * none of them, around words that may stand for them, and without these the beginning of the passage. Reads a bounded part of the text.
 */
export function excerptOfFound(found: FoundText, termsOf: AskedTerms, clusters: number): string {
  const { isCutAfter, isCutBefore, passageAt, text } = near(found, clusters);
  const isWhole = !isCutBefore && !isCutAfter;
  const mayFit = isWhole && text.length <= clusters * MOST_UNITS_PER_CLUSTER;
  if (mayFit && countClusters(text) <= clusters) return text;
  const start = passageAt === null ? 0 : unitsOf(text, passageAt);
  const passage = passageAt === null ? text : text.slice(start, start + LONGEST_PASSAGE);
  const room = Math.max(1, clusters - 2);
  const place =
    densest(wordsIn(passage, termsOf.own), room) ??
    densest(wordsIn(passage, termsOf.instead), room);
  const from = start + (place?.from ?? 0);
  const until = start + (place?.until ?? Math.min(1, passage.length));
  const span: Span = {
    offset: pointsOf(text.slice(0, from)),
    length: Math.max(1, pointsOf(text.slice(from, until))),
  };
  // Without a word, the excerpt begins where the passage does.
  if (place === null) {
    const shown = { offset: span.offset, length: room };
    return excerptAround({ text, span: shown, isCutBefore, isCutAfter }, room);
  }
  return excerptAround({ text, span, isCutBefore, isCutAfter }, room);
}
