/**
 * Cuts a message into the passages that are ranked. A passage ends where a sentence ends and holds at most forty content
 * terms and 1,200 characters; a short message is one passage. A longer sentence is cut between words, a longer word
 * between characters, so that no text makes a long passage. Linear in the text.
 */
import { contentTerms } from './analyze.ts';
import { sentencesOf } from './sentences.ts';

/** The most content terms of a passage: stems, words of a dictionary, or pairs of characters. */
export const PASSAGE_TERMS = 40;
/** The most characters of a passage, in UTF-16 code units: a text of stop words has no terms. */
export const PASSAGE_CHARS = 1_200;
/**
 * Words with the white space behind them. A run without white space is cut at forty characters before its terms are
 * counted: no ordinary word is as long, and forty letters have at most forty terms.
 */
const RUN = /\S{1,40}\s*/gu;

interface Piece {
  /** Code units of the text before it, and before its end. */
  readonly start: number;
  readonly end: number;
  readonly terms: number;
}

export interface PlacedPassage {
  readonly text: string;
  /** Code units of the message before it. */
  readonly start: number;
}

/** Groups neighbouring pieces: as many as a passage holds, and one that alone is too large. */
function* grouped(pieces: Iterable<Piece>, most: number): Generator<Piece> {
  let open: Piece | null = null;
  for (const piece of pieces) {
    const isFull =
      open !== null && (open.terms + piece.terms > most || piece.end - open.start > PASSAGE_CHARS);
    if (open !== null && isFull) {
      yield open;
      open = null;
    }
    open =
      open === null
        ? piece
        : { start: open.start, end: piece.end, terms: open.terms + piece.terms };
  }
  if (open !== null) yield open;
}

function* runsOf(text: string, { start, end }: Omit<Piece, 'terms'>): Generator<Piece> {
  for (const { 0: run, index } of text.slice(start, end).matchAll(RUN)) {
    const from = start + index;
    yield { start: from, end: from + run.trimEnd().length, terms: contentTerms(run).length };
  }
}

function* piecesOf(text: string, most: number): Generator<Piece> {
  for (const { text: sentence, start, end } of sentencesOf(text)) {
    const terms = contentTerms(sentence).length;
    if (terms <= most && end - start <= PASSAGE_CHARS) yield { start, end, terms };
    else yield* grouped(runsOf(text, { start, end }), most);
  }
}

/** The passages in order, with their places; none for a blank text. */
export function placedPassages(text: string, most = PASSAGE_TERMS): PlacedPassage[] {
  return Array.from(grouped(piecesOf(text, most), most), ({ start, end }) => ({
    text: text.slice(start, end),
    start,
  }));
}

/** The passages alone. */
export function rankedPassages(text: string, most = PASSAGE_TERMS): string[] {
  return placedPassages(text, most).map((passage) => passage.text);
}
