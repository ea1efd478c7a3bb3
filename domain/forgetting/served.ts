/**
 * A text without what holds keep. A sentence whose rest does not need the value is said without it; else it is left out. There is
 * no mark in its place, which would tell that there is something. What nobody needed to touch stays byte for byte.
 */
import type { HeldPlace } from './find.ts';

/** A stretch in code units, end exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** In brackets, or between commas as another name of what stands before: the rest does not need it. */
const OPENED = /(?:[ \t]?\([^()\n]{0,20})$/u;
const CLOSED = /^[^()\n]{0,20}\)/u;
const AFTER_COMMA = /,[ \t]?$/u;
const BEFORE_COMMA = /^,/u;
const BEFORE_END = /^[.!?…]*$/u;
/** "the temporary callback 020 ...", "my code 4471": a noun that still says something. */
const NAMED_BY_NOUN =
  /(?:^|[^\p{L}])(?:the|my|our|his|her|its|their|your|an?|this|that|\p{L}+['’]s) (?:[\p{L}-]+ ){0,3}(?:number|phone|mobile|telephone|line|extension|callback|contact|address|e-?mail|code|pin|password|token|credential|key|account|label|identifier|alias|room|unit|seat|gate|mapping|name|figure|amount|value|date|reference)[ \t]$/iu;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** What goes of the sentence `[from, until)` if only the value goes; null if the rest needs it. */
function cutOf(
  text: string,
  { end: until, start: from }: Stretch,
  { end, start }: Stretch,
): Stretch | null {
  const before = text.slice(from, start);
  const after = text.slice(end, until);
  const opened = OPENED.exec(before);
  const closed = CLOSED.exec(after);
  if (opened !== null && closed !== null) {
    return { start: start - opened[0].length, end: end + closed[0].length };
  }
  const comma = AFTER_COMMA.exec(before);
  if (comma !== null && before.length > comma[0].length) {
    if (BEFORE_COMMA.test(after)) return { start: start - comma[0].length, end: end + 1 };
    if (BEFORE_END.test(after)) return { start: start - comma[0].length, end };
  }
  return NAMED_BY_NOUN.test(before) ? { start: start - 1, end } : null;
}

/** The sentence with the white space that parts it from the next one, or from the one before it if it is the last. */
function wholeOf(text: string, { end, start }: Stretch): Stretch {
  const space = /^\s*/u.exec(text.slice(end))?.[0].length ?? 0;
  if (end + space < text.length) return { start, end: end + space };
  return { start: text.slice(0, start).trimEnd().length, end };
}

function without(text: string, removed: readonly Stretch[]): string {
  let from = 0;
  let rest = '';
  for (const { end, start } of removed) {
    rest += text.slice(from, start);
    from = Math.max(from, end);
  }
  return rest + text.slice(from);
}

/** Those of the places that touch each of the sentences; both are in text order. */
function* touched(
  places: readonly HeldPlace[],
  sentences: readonly Stretch[],
): Generator<readonly [Stretch, readonly HeldPlace[]]> {
  let first = 0;
  for (const sentence of sentences) {
    while ((places[first]?.end ?? Infinity) <= sentence.start) first += 1;
    let after = first;
    while ((places[after]?.start ?? Infinity) < sentence.end) after += 1;
    if (after > first) yield [sentence, places.slice(first, after)];
  }
}

/** What goes of a sentence that holds values: these alone if the rest does not need them, else all of it. */
function removedOf(
  text: string,
  sentence: Stretch,
  values: readonly HeldPlace[],
  isHeld: (text: string) => boolean,
): readonly Stretch[] {
  const cuts = values.map((value) => cutOf(text, sentence, value));
  const kept = cuts.filter((cut) => cut !== null);
  const shifted = kept.map(({ end, start }) => ({
    start: start - sentence.start,
    end: end - sentence.start,
  }));
  const rest = without(text.slice(sentence.start, sentence.end), shifted);
  return kept.length === cuts.length && !isHeld(rest) ? kept : [wholeOf(text, sentence)];
}

/**
 * What is served of a text: null if nothing is left that says something. `sentences` are those of the text, in order. `isHeld`
 * tells whether a text still holds something: what is left is asked for, because words may meet that stood apart.
 */
export function servedText(
  text: string,
  places: readonly HeldPlace[],
  sentences: readonly Stretch[],
  isHeld: (text: string) => boolean,
): string | null {
  if (places.length === 0) return text;
  const removed = [...touched(places, sentences)].flatMap(([sentence, values]) =>
    removedOf(text, sentence, values, isHeld),
  );
  const served = without(text, removed);
  if (isHeld(served) || !SAYS_SOMETHING.test(served)) return null;
  return served;
}
