/**
 * Sentences of a text in any script, with their offsets. Ends: `. ! ?` and ellipsis before white space
 * (not after an abbreviation or an initial), the full stops of other scripts at once, line breaks. Linear.
 */

export interface Sentence {
  /** Verbatim, trimmed. */
  readonly text: string;
  /** Offsets into the source, end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A match starts only at the beginning of a run of stops: starting at each stop would cost the square of its run. */
const BOUNDARY =
  /(?<![.!?\u2026])[.!?\u2026]+["'\u201D\u2019)\]*_]*(?=\s|$)|[。！？｡؟۔।॥።။][」』"'”’)]*|\n+/gu;
const ABBREVIATION =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|sr|jr|vs|etc|e\.g|i\.e|approx|no|inc|ltd|co|dept|mt|fig|bzw|z\.b|\p{L})$/iu;
/** Long enough for the longest abbreviation above with what precedes it. */
const LOOK_BACK = 8;

function endsAbbreviation(text: string, stop: number, boundary: string): boolean {
  return boundary === '.' && ABBREVIATION.test(text.slice(Math.max(0, stop - LOOK_BACK), stop));
}

function trimmed(text: string, from: number, to: number): Sentence | null {
  const raw = text.slice(from, to);
  const body = raw.trim();
  if (body === '') return null;
  const start = from + (raw.length - raw.trimStart().length);
  return { text: body, start, end: start + body.length };
}

/** Sentences in order; together they hold every character that is not white space. */
export function* sentencesOf(text: string): Generator<Sentence> {
  let from = 0;
  for (const match of text.matchAll(BOUNDARY)) {
    if (endsAbbreviation(text, match.index, match[0])) continue;
    const to = match.index + match[0].length;
    const sentence = trimmed(text, from, to);
    if (sentence !== null) yield sentence;
    from = to;
  }
  const rest = trimmed(text, from, text.length);
  if (rest !== null) yield rest;
}
