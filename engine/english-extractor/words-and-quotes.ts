/** A sentence in pieces: words with their contractions, quotations whole, every other character alone. */

const PIECE = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*|"[^"\n]*"|[^\p{L}\p{N}\p{M}]/gu;

/** Finds a sign at or after a place. Callers ask from left to right, so that it reads the text once. */
function finderOf(text: string, sign: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      const next = text.indexOf(sign, from);
      found = next === -1 ? text.length : next;
    }
    return found;
  };
}

/** The pieces in order; joined they are the sentence. */
export function tokensOf(sentence: string): string[] {
  const pieces: string[] = [];
  // A pattern for “…” would look for its end anew from each “.
  const closing = finderOf(sentence, '”');
  const lineEnd = finderOf(sentence, '\n');
  PIECE.lastIndex = 0;
  for (let found = PIECE.exec(sentence); found !== null; found = PIECE.exec(sentence)) {
    const { index, 0: piece } = found;
    const isQuotation = piece === '“' && closing(index) < lineEnd(index);
    if (isQuotation) PIECE.lastIndex = closing(index) + 1;
    pieces.push(isQuotation ? sentence.slice(index, closing(index) + 1) : piece);
  }
  return pieces;
}
