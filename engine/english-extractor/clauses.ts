/**
 * Cuts a sentence into the assertions it makes: "I moved to Oslo in May, and I work at the harbour now" makes
 * two. Only between main clauses of the first person, where each half can stand alone; every part is a
 * verbatim piece of the sentence.
 */
import { withoutEnding } from '../../domain/text/ending.ts';
import { hasVerb } from './verbs.ts';

/** A match enters white space at its beginning only (`(?<!\s)`), and looks at what follows before what precedes. */
const BETWEEN =
  /(?:(?<!\s)\s+[-–—]+\s+|(?<!\s)\s*[—–]\s*|;\s+|(?:,\s+|(?<![\s,])\s+)(?:and|but|so|plus)\s+|[,:]\s+)(?=(?:i|we)(?:['’](?:m|ve|ll|d|re))?\s|(?:my|our)\s)(?<!\bso\s+(?=(?:i|we) (?:can|could)\b))/giu;

/** Code points before a question that can state something. */
const MIN_STATED = 12;
const ASKS_SO = /,? so,? (?=what|how|do|any|where|when|who|can)/gu;
const DASH = /[-–—]/u;
const SPACE = /\s/u;

/** The last dash of the sentence, or -1. */
function lastDash(sentence: string): number {
  return Math.max(...['-', '–', '—'].map((dash) => sentence.lastIndexOf(dash)));
}

/** Where the question may begin at the earliest. */
function earliestQuestion(sentence: string): number {
  const points = Array.from(sentence.slice(0, 2 * MIN_STATED));
  return points.length < MIN_STATED ? Infinity : points.slice(0, MIN_STATED).join('').length;
}

/** Where white space, dashes up to the one at `dash` and white space begin; null when they do not stand there. */
function startOfSpacedDashes(sentence: string, dash: number, earliest: number): number | null {
  let dashes = dash;
  while (DASH.test(sentence.charAt(dashes - 1))) dashes -= 1;
  const spaces = withoutEnding(sentence.slice(0, dashes), SPACE).length;
  const start = Math.max(spaces, earliest);
  return start < dashes && SPACE.test(sentence.charAt(dash + 1)) ? start : null;
}

/** Where an em dash at `dash` begins, with one space before it; null for any other dash. */
function startOfDash(sentence: string, dash: number, earliest: number): number | null {
  if (sentence.charAt(dash) !== '—' || dash < earliest) return null;
  return dash > earliest && SPACE.test(sentence.charAt(dash - 1)) ? dash - 1 : dash;
}

/** Where a question with "so" begins after the last dash; null without one. */
function startOfSo(sentence: string, dash: number, earliest: number): number | null {
  ASKS_SO.lastIndex = Math.max(earliest, dash + 1);
  return ASKS_SO.exec(sentence)?.index ?? null;
}

/**
 * The declarative part of a sentence that ends in a question; the sentence itself otherwise. "I finished the shelf -
 * want to see?" states the part before its last dash.
 */
export function statedPart(sentence: string): string {
  const earliest = earliestQuestion(sentence);
  if (!sentence.endsWith('?') || earliest > sentence.length) return sentence;
  const dash = lastDash(sentence);
  const start =
    startOfSpacedDashes(sentence, dash, earliest) ??
    startOfDash(sentence, dash, earliest) ??
    startOfSo(sentence, dash, earliest);
  return start === null ? sentence : sentence.slice(0, start);
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
