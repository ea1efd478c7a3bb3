/** Finds the values that holds keep, in a text: each run of up to eight words is compared, by hashes alone. */
import {
  continuesNumber,
  dayOfRun,
  keysOf,
  MOST_TOKENS_OF_VALUE,
  tokensOf,
  type FoldedToken,
} from './tokens.ts';

/** The values of an account's holds. Their words are nowhere: only who has the keys can compare. */
export interface HeldValues {
  /** A number for a word, by a key of the account. */
  readonly hintOf: (word: string) => number;
  /** The hints of all values (`hintOfKey`): a sieve, which lets few runs through that are no value. */
  readonly hints: ReadonlySet<number>;
  /** The ids of the holds that keep the value of that key; none for most runs that passed the sieve by chance. */
  readonly holdsOf: (key: string, hint: number) => readonly string[];
}

/** A stretch of a text, in code units, that some holds keep. */
export interface HeldPlace {
  readonly start: number;
  readonly end: number;
  readonly holdIds: readonly string[];
}

const HINT_BITS = 0xff_ff_ff;
const PRIME = 0x01_00_01_93;
const BASIS = 0x81_1c_9d_c5;

const mixed = (state: number, hint: number): number => Math.imul(state ^ hint, PRIME);
const folded = (state: number): number => (state ^ (state >>> 24)) & HINT_BITS;

/** The hint of a key: 24 bits, of the hints of its words in their order (FNV-1a over words). */
export function hintOfKey(key: string, hintOf: HeldValues['hintOf']): number {
  return folded(key.split(' ').reduce((state, word) => mixed(state, hintOf(word)), BASIS));
}

/** Each word is hashed once for a text. */
function remembering(hintOf: HeldValues['hintOf']): HeldValues['hintOf'] {
  const known = new Map<string, number>();
  return (word) => {
    const hint = known.get(word) ?? hintOf(word);
    known.set(word, hint);
    return hint;
  };
}

/** The most tokens that name a day. */
const TOKENS_OF_DAY = 3;

/** Who keeps the value of the run, if its key or its day passed the sieve. */
function holdersOf(text: string, run: readonly FoldedToken[], held: HeldValues): readonly string[] {
  return keysOf(text, run).flatMap((key) => {
    const hint = hintOfKey(key, held.hintOf);
    return held.hints.has(hint) ? held.holdsOf(key, hint) : [];
  });
}

/** The lengths of the runs from a token on that pass the sieve. A run costs one step: its words are mixed in one by one. */
function* sieved(
  text: string,
  tokens: readonly FoldedToken[],
  from: number,
  { hintOf, hints }: HeldValues,
): Generator<number> {
  let state = BASIS;
  let piece = '';
  for (let length = 1; length <= MOST_TOKENS_OF_VALUE; length += 1) {
    const token = tokens[from + length - 1];
    if (token === undefined) return;
    if (length > 1 && continuesNumber(text, tokens[from + length - 2], token)) piece += token.text;
    else {
      if (length > 1) state = mixed(state, hintOf(piece));
      piece = token.text;
    }
    const mayBe = hints.has(folded(mixed(state, hintOf(piece))));
    if (mayBe || isHeldDay(tokens, from, length, { hintOf, hints })) yield length;
  }
}

function isHeldDay(
  tokens: readonly FoldedToken[],
  from: number,
  length: number,
  { hintOf, hints }: Pick<HeldValues, 'hintOf' | 'hints'>,
): boolean {
  if (length < 2 || length > TOKENS_OF_DAY) return false;
  const day = dayOfRun(tokens.slice(from, from + length));
  return day !== null && hints.has(hintOfKey(day, hintOf));
}

/** Places that overlap are one. */
function merged(places: readonly HeldPlace[]): readonly HeldPlace[] {
  const found: HeldPlace[] = [];
  for (const place of places.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = found.at(-1);
    if (last === undefined || place.start >= last.end) found.push(place);
    else {
      const holdIds = [...new Set([...last.holdIds, ...place.holdIds])];
      found[found.length - 1] = { ...last, end: Math.max(last.end, place.end), holdIds };
    }
  }
  return found;
}

/** Tokens after which a search of a long text may be interrupted. */
const TOKENS_OF_A_STEP = 256;

/** The same as `findHeld`, step by step, so that other work can go on in the middle of a long text. */
export function* searchHeld(
  text: string,
  values: HeldValues,
): Generator<void, readonly HeldPlace[], void> {
  if (values.hints.size === 0) return [];
  const held = { ...values, hintOf: remembering(values.hintOf) };
  const tokens: FoldedToken[] = [];
  for (const token of tokensOf(text)) {
    tokens.push(token);
    if (tokens.length % TOKENS_OF_A_STEP === 0) yield;
  }
  const places: HeldPlace[] = [];
  for (const [from, { start }] of tokens.entries()) {
    if (from % TOKENS_OF_A_STEP === 0) yield;
    for (const length of sieved(text, tokens, from, held)) {
      const run = tokens.slice(from, from + length);
      const holdIds = holdersOf(text, run, held);
      const end = run.at(-1)?.end ?? start;
      if (holdIds.length > 0) places.push({ start, end, holdIds: [...new Set(holdIds)] });
    }
  }
  return merged(places);
}

/** All places, in text order. Linear in the text, whatever is held. */
export function findHeld(text: string, values: HeldValues): readonly HeldPlace[] {
  const search = searchHeld(text, values);
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
  }
}

/** FNV-1a over code units. */
function hintInClear(word: string): number {
  let state = BASIS;
  for (let at = 0; at < word.length; at += 1) state = mixed(state, word.charCodeAt(at));
  return state;
}

/** Values that are known in clear, as those of one request are while its hold is opened: a place names the keys that it holds. */
export function valuesInClear(keys: readonly string[]): HeldValues {
  const known = new Set(keys);
  return {
    hintOf: hintInClear,
    hints: new Set(keys.map((key) => hintOfKey(key, hintInClear))),
    holdsOf: (key) => (known.has(key) ? [key] : []),
  };
}
