/**
 * The pure tokenizer. A text is a sequence of segments: words (letters, digits and combining marks; an
 * apostrophe between letters stays inside) and runs of scripts written without spaces, which only a
 * dictionary could cut further and which are therefore compared by substring.
 */
import { foldText } from './fold.ts';

/** `cjk`: Han and kana. `unspaced`: Thai, Lao, Khmer, Myanmar. Everything else, Hangul included, is a `word`. */
export type SegmentKind = 'word' | 'cjk' | 'unspaced';

export interface Segment {
  readonly kind: SegmentKind;
  /** Folded text of the segment. */
  readonly text: string;
}

const CJK = String.raw`[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]&&[\p{L}\p{N}]]`;
const UNSPACED = String.raw`[[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]&&\p{L}]`;
const LETTER = String.raw`[[\p{L}\p{N}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]`;
const WORD = String.raw`(?:${LETTER}\p{M}*)+`;
const SEGMENT = new RegExp(
  String.raw`(?<cjk>(?:${CJK}\p{M}*)+)|(?<unspaced>(?:${UNSPACED}\p{M}*)+)|(?<word>${WORD}(?:'${WORD})*|[\p{L}\p{N}]\p{M}*)`,
  'gv',
);
const ATOM = /\P{M}\p{M}*/gu;

/** Segments of a text that `foldText` has already folded. */
export function segmentsOfFolded(folded: string): Segment[] {
  return placedSegments(folded).map(({ kind, text }) => ({ kind, text }));
}

/** Segments of a text as it is, but for its signs (`withPlainSigns`), with their places in it. */
export function placedSegments(text: string): (Segment & { readonly index: number })[] {
  return Array.from(text.matchAll(SEGMENT), (match) => {
    const kind = match.groups?.['cjk'] ? 'cjk' : match.groups?.['unspaced'] ? 'unspaced' : 'word';
    return { kind, text: match[0], index: match.index };
  });
}

/** Segments in text order. */
export function segments(text: string): Segment[] {
  return segmentsOfFolded(foldText(text));
}

/** The characters of a run, each with its combining marks. */
export function characters(run: string): string[] {
  return run.match(ATOM) ?? [];
}

/**
 * The words of one `word` segment as they are compared: cut at apostrophes, so that `Anna's` contains
 * `anna` and `l'homme` contains `homme`; only the English negation stays whole (`don't` is `dont`, not `don`).
 */
export function wordForms(word: string): string[] {
  if (!word.includes("'")) return [word];
  return word.endsWith("n't") ? [word.replaceAll("'", '')] : word.split("'");
}

/** Exact normalised words of a text, unstemmed; unspaced runs stay whole. */
export function words(text: string): string[] {
  return segments(text).flatMap((s) => (s.kind === 'word' ? wordForms(s.text) : [s.text]));
}
