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
  readonly text: string;
  readonly terms: number;
}

/** Groups neighbouring pieces: as many as a passage holds, and one that alone is too large. */
function* grouped(pieces: Iterable<Piece>, most: number, between: string): Generator<string> {
  let parts: string[] = [];
  let [terms, chars] = [0, 0];
  for (const piece of pieces) {
    const isFull = terms + piece.terms > most || chars + piece.text.length > PASSAGE_CHARS;
    if (parts.length > 0 && isFull) {
      yield parts.join(between);
      parts = [];
      [terms, chars] = [0, 0];
    }
    parts.push(piece.text);
    terms += piece.terms;
    chars += piece.text.length + between.length;
  }
  if (parts.length > 0) yield parts.join(between);
}

function counted(text: string): Piece {
  return { text, terms: contentTerms(text).length };
}

function* runsOf(sentence: string): Generator<Piece> {
  for (const [run] of sentence.matchAll(RUN)) yield counted(run);
}

function* piecesOf(text: string, most: number): Generator<Piece> {
  for (const sentence of sentencesOf(text)) {
    const piece = counted(sentence.text);
    if (piece.terms <= most && piece.text.length <= PASSAGE_CHARS) yield piece;
    else for (const part of grouped(runsOf(sentence.text), most, '')) yield counted(part.trim());
  }
}

/** The passages in order; none for a blank text. */
export function rankedPassages(text: string, most = PASSAGE_TERMS): string[] {
  return [...grouped(piecesOf(text, most), most, ' ')];
}
