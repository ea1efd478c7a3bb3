/**
 * Cuts a sentence into the assertions it makes: "I moved to Oslo in May, and I work at the harbour now" makes
 * two. Only between main clauses of the first person, where each half can stand alone; every part is a
 * verbatim piece of the sentence.
 */
import { withoutEnding } from '../../domain/text/ending.ts';
import { tagged } from '../english/tagger.ts';
import { readClause } from './clause/reading.ts';
import { hasVerb } from './verbs.ts';

/** A match enters white space at its beginning only (`(?<!\s)`), and looks at what follows before what precedes. */
const BETWEEN =
  /(?:(?<!\s)\s+[-–—]+\s+|(?<!\s)\s*(?:[—–]|--)\s*|(?<!\s)-\s+|;\s+|(?:,\s+|(?<![\s,])\s+)(?:and|but|so|plus)\s+|[,:]\s+)(?=(?:(?:maybe|perhaps|yesterday|recently)\s)?(?:(?:i|we)(?:['’](?:m|ve|ll|d|re))?\s|(?:my|our)\s))(?<!\bso\s+(?=(?:i|we) (?:can|could)\b))/giu;

/** Code points before a question that can state something. */
const MIN_STATED = 12;
/** "I'm planning a trip, can you help?" */
const ASKS_FOR =
  /,? (?:and |but |so )?(?=(?:can|could|would|will|do|does|did|should|may) (?:you|i|we|someone|anyone|it|that|this)\b|(?:what|how|why|which|where|any) (?:should|can|could|do|does|is|are|would|about|tips|ideas|suggestions|advice)\b)/giu;
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

/** Where the first question begins that the sentence goes over into; null without one. */
function startOfAsking(sentence: string, earliest: number): number | null {
  ASKS_FOR.lastIndex = earliest;
  const found = ASKS_FOR.exec(sentence);
  return found === null || !found[0].startsWith(',') ? null : found.index;
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
    startOfSo(sentence, dash, earliest) ??
    startOfAsking(sentence, earliest);
  return start === null ? sentence : sentence.slice(0, start);
}

/** The same before a clause about something else: "..., it was fun", " - they helped out". */
const BEFORE_OTHERS =
  /(?:(?<!\s)\s+[-–—]+\s+|(?<!\s)\s*(?:[—–]|--)\s*|;\s+|,\s+(?:(?:and|but|so|plus)\s+)?|(?<![\s,])\s+(?:and|but)\s+)(?=(?:it|that|this|they|these|those|he|she|there)(?:['’](?:s|re|ve|ll|d))?\s)/giu;
/** And before one that leaves its subject out: "I appreciate it, but had a check-up". */
const BEFORE_NOTHING =
  /,\s+(?:but|and|so)\s+(?=(?:just |also |then |finally )?(?:had|went|got|took|been|started|found|lost|made|bought|saw|met|tried|came|spent|moved|quit|finished|joined|visited|signed)\b)/giu;
/** "Inspiring 💪 I emailed them": a picture between two sentences ends the first. */
const BEHIND_EMOJI = /(?<=\p{Extended_Pictographic}\uFE0F?)\s+(?=\p{Lu})/gu;
/** A clause that needs the one after it. */
const LEANS_FORWARD =
  /^(?:and |but |so |even )?(?:when(?:ever)?|if|since|as|while|after|before|because|although|though|once|until|unless|where(?:ver)?|now that)\b/iu;

/** "After losing my job, I took a break": the clause that is needed has come. */
const HAS_MAIN = /,\s+(?:i|we)(?:['’]\p{L}+)?\s/iu;

/** Whether the part, or what stands behind its last dash, needs what follows: "I look for a flat - when I do". */
function leansForward(part: string): boolean {
  const dash = /[-–—]\s/u.test(part) ? lastDash(part) : -1;
  return (
    (LEANS_FORWARD.test(part) && !HAS_MAIN.test(part)) ||
    (dash !== -1 && LEANS_FORWARD.test(part.slice(dash + 1).trim()))
  );
}

function boundariesOf(sentence: string): readonly RegExpMatchArray[] {
  const found = [BETWEEN, BEFORE_OTHERS, BEFORE_NOTHING, BEHIND_EMOJI].flatMap((pattern) => [
    ...sentence.matchAll(pattern),
  ]);
  return found.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
}

/** "Looking for a flat - it's a dream of mine": what its speaker does, without a form of "be". */
const ACTIVITY = /^\p{L}{3,}ing\s/iu;
/** "Been busy, it's fun". */
const SHORT = /^(?:just |also |still )?(?:been|gonna|gotta)\s/iu;

/** In UTF-16 code units: a verb further behind is not looked for, so that each boundary costs the same. */
const VERB_WITHIN = 40;

/** "My transition and my body": what belongs to somebody, and no clause. */
function isMere(rest: string): boolean {
  if (!/^(?:my|our)\s/iu.test(rest)) return false;
  const words = tagged(rest.slice(0, VERB_WITHIN));
  const read = readClause(words);
  return typeof read === 'string' || words[read.verb]?.lower.endsWith('ing') === true;
}

/** The parts of the sentence at every boundary between main clauses; one part when there is none. */
export function clausesOf(sentence: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const boundary of boundariesOf(sentence)) {
    if (boundary.index === undefined || boundary.index < from) continue;
    const part = withoutEnding(sentence.slice(from, boundary.index), /[\s–—-]/u).trim();
    // "My sister and I" is one subject.
    const isClosed = /\p{Extended_Pictographic}\uFE0F?$/u.test(part);
    const isContrast = /\bbut\s+$/iu.test(boundary[0]);
    const isActivity = DASH.test(boundary[0]) && ACTIVITY.test(part);
    const isWhole = hasVerb(part) || isContrast || isActivity || SHORT.test(part);
    if (!isClosed && (!isWhole || leansForward(part))) continue;
    if (isMere(sentence.slice(boundary.index + boundary[0].length))) continue;
    parts.push(part);
    from = boundary.index + boundary[0].length;
  }
  parts.push(sentence.slice(from).trim());
  return parts.filter((part) => part !== '');
}
