/**
 * Cuts a sentence into the claims it makes: "I moved to Oslo in May, and I work at the harbour now" makes
 * two. Only between main clauses of the first person, where each half can stand alone; every part is a
 * verbatim piece of the sentence.
 */
import { hasVerb } from './verbs.ts';

const BETWEEN =
  /(?:\s+[-–—]+\s+|\s*[—–]\s*|;\s+|,?\s+(?:and|but|so|plus)\s+|[,:]\s+)(?<!\bso\s+(?=(?:i|we) (?:can|could)\b))(?=(?:i|we)(?:['’](?:m|ve|ll|d|re))?\s|(?:my|our)\s)/giu;

/** "I finished the shelf - want to see?" states what stands before the dash. */
const TAG_QUESTION =
  /^(.{12,}?)(?:\s+[-–—]+\s+|\s?—\s?|,? so,? (?=what|how|do|any|where|when|who|can))[^-–—]*\?+$/su;

/** The declarative part of a sentence that ends in a question; the sentence itself otherwise. */
export function statedPart(sentence: string): string {
  return TAG_QUESTION.exec(sentence)?.[1] ?? sentence;
}

/** The parts of the sentence at every boundary between first-person clauses; one part when there is none. */
export function clausesOf(sentence: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const boundary of sentence.matchAll(BETWEEN)) {
    const part = sentence.slice(from, boundary.index).trim();
    // "My sister and I" is one subject.
    if (!hasVerb(part)) continue;
    parts.push(part);
    from = boundary.index + boundary[0].length;
  }
  parts.push(sentence.slice(from).trim());
  return parts.filter((part) => part !== '');
}
