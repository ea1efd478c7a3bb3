/**
 * Where the passages of a masked message begin in the message as it was received: excerpts are cut from the latter. A
 * mask has another length than what it hides, so the texts between the masks are looked for in their order.
 */
import { MASK } from '../secrets/mask-word.ts';
import type { PlacedPassage } from './passages.ts';

/** Counts code points up to ascending places of a text, which is read once. */
function pointCounter(text: string): (unit: number) => number {
  let [unit, points] = [0, 0];
  return (until) => {
    for (; unit < until; unit += 1) {
      const code = text.charCodeAt(unit);
      if (code < 0xdc00 || code > 0xdfff) points += 1;
    }
    return points;
  };
}

/** A text between two masks, by where it begins in the masked text and in the received one. */
interface Piece {
  readonly masked: number;
  readonly received: number;
}

/** The pieces, as far as they are found. Linear: each is found as far away as a secret is long. */
function piecesOf(content: string, masked: string): Piece[] {
  const pieces: Piece[] = [];
  let [inMasked, from] = [0, 0];
  for (const text of masked.split(MASK)) {
    const received = content.indexOf(text, from);
    if (received === -1) break;
    pieces.push({ masked: inMasked, received });
    inMasked += text.length + MASK.length;
    from = received + text.length;
  }
  return pieces;
}

/** Code points of `content` before each passage of `masked`, in their order; null for a place that is not known. */
export function placesOf(
  content: string,
  masked: string,
  passages: readonly PlacedPassage[],
): (number | null)[] {
  const pointsBefore = pointCounter(content);
  if (masked === content) return passages.map(({ start }) => pointsBefore(start));
  const pieces = piecesOf(content, masked);
  const isComplete = pieces.length === masked.split(MASK).length;
  let at = 0;
  return passages.map(({ start }) => {
    while ((pieces[at + 1]?.masked ?? Number.POSITIVE_INFINITY) <= start) at += 1;
    const piece = pieces[at];
    if (piece === undefined || (!isComplete && at === pieces.length - 1)) return null;
    // A passage may begin within a mask: then at most at the next text.
    const next = pieces[at + 1]?.received ?? content.length;
    return pointsBefore(Math.min(piece.received + start - piece.masked, next));
  });
}
