/**
 * The passages of a message as indexes hold them, each with a vector of its words and one of its meaning: those that are
 * ranked, but fewer and longer ones for a text that would have thousands.
 */
import { PASSAGE_CHARS, placedPassages, type PlacedPassage } from '../text/passages.ts';

export type { PlacedPassage } from '../text/passages.ts';

/** Code units of the longest passage. */
export const LONGEST_PASSAGE = PASSAGE_CHARS;
/** A message of a mebibyte, the most that is allowed, has at most 1,750 passages once neighbouring ones are joined. */
export const MOST_PASSAGES = 2_048;

/** Joins neighbours as long as they fit into the longest passage: any two that are left are longer together. */
function joined(text: string, passages: readonly PlacedPassage[]): PlacedPassage[] {
  const longer: { start: number; end: number }[] = [];
  for (const {
    start,
    text: { length },
  } of passages) {
    const last = longer.at(-1);
    const end = start + length;
    if (last !== undefined && end - last.start <= LONGEST_PASSAGE) last.end = end;
    else longer.push({ start, end });
  }
  return longer.map(({ start, end }) => ({ text: text.slice(start, end), start }));
}

/** The passages of a text in order, with their places; at least one, blank texts included. */
export function placedPassagesOf(text: string): PlacedPassage[] {
  const passages = placedPassages(text);
  if (passages.length === 0) return [{ text: text.slice(0, LONGEST_PASSAGE), start: 0 }];
  return passages.length > MOST_PASSAGES ? joined(text, passages) : passages;
}

/** The passages alone. */
export function passagesOf(text: string): string[] {
  return placedPassagesOf(text).map((passage) => passage.text);
}
