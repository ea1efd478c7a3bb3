/** Past or future, as far as a sentence shows it near a cue. The tense decides what "on Friday" or "in March" means. */
import { UNCHANGED_VERBS } from '../../../domain/text/irregular.ts';
import { isPastForm } from '../../../domain/text/past-form.ts';

export type Tense = 'past' | 'future' | 'unknown';

const FUTURE =
  /\b(?:will|won't|shall|gonna|going to|about to|plan(?:s|ning)?|upcoming|looking forward|can't wait|hop(?:e|ing) to|want to|need to|have to|let's|tomorrow|next|(?:am|'m|are|'re|is|'s) \w+ing)\b|'ll\b/giu;
const WORD = /[a-z]+/giu;
/** Sentences are short; words further away belong to another clause. */
const REACH = 160;

function nearest(positions: Iterable<number>, at: number): number {
  let best = Infinity;
  for (const position of positions) best = Math.min(best, Math.abs(position - at));
  return best;
}

/** The tense of the marker nearest to the cue at offset `at`. */
export function tenseNear(text: string, at: number): Tense {
  const start = Math.max(0, at - REACH);
  const clause = text.slice(start, at + REACH);
  const future = nearest(
    Array.from(clause.matchAll(FUTURE), (m) => m.index + start),
    at,
  );
  const past = nearest(
    Array.from(clause.matchAll(WORD))
      .filter(([word]) => isPastForm(word.toLowerCase()) && !UNCHANGED_VERBS.has(word))
      .map((m) => m.index + start),
    at,
  );
  if (future === Infinity && past === Infinity) return 'unknown';
  return past <= future ? 'past' : 'future';
}
