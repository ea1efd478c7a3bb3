/**
 * Canaries: texts that occur nowhere by themselves, one for each place of origin. Lower-case letters only, the
 * shape that says least about itself: a rule that stops them stops them by what it admits, not by what looks odd.
 * Uses nothing of Node, because workflow code of the control makes its own in the sandbox.
 */

/** Long enough that each half is unmistakable by itself: texts are cut short and split across pages. */
const LETTERS = 28;

/** The same text for the same seed and name, everywhere. */
export function canaryText(seed: string, name: string): string {
  let state = 0x811c9dc5;
  for (const character of `${seed}/${name}`) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  let text = '';
  for (let at = 0; at < LETTERS; at += 1) {
    // mulberry32: a step of a generator that is spread well enough to tell texts apart.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    text += String.fromCodePoint(97 + (((mixed ^ (mixed >>> 14)) >>> 0) % 26));
  }
  return text;
}

/** A canary for each name. */
export function makeCanaries<N extends string>(
  seed: string,
  names: readonly N[],
): Readonly<Record<N, string>> {
  return Object.fromEntries(names.map((name) => [name, canaryText(seed, name)])) as Record<
    N,
    string
  >;
}
