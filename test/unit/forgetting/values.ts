/** Values that holds keep, in the open: what the tests hide by hashes in the service. */
import { createHash } from 'node:crypto';
import { findHeld, hintOfKey, type HeldValues } from '../../../domain/forgetting/find.ts';
import { foldedTokens, keysOf } from '../../../domain/forgetting/tokens.ts';
import { servedText } from '../../../domain/forgetting/served.ts';
import { sentencesOf } from '../../../engine/text/sentences.ts';

const hintOf = (word: string): number => createHash('sha256').update(word).digest().readInt32LE(0);

/** The key by which a value is kept: that of the day, if it is one. */
export function keyOf(value: string): string {
  return keysOf(value, foldedTokens(value)).at(-1) ?? '';
}

/** Holds `h0`, `h1`, ... of one value each. */
export function held(...values: readonly string[]): HeldValues {
  const keys = values.map(keyOf);
  return {
    hintOf,
    hints: new Set(keys.map((key) => hintOfKey(key, hintOf))),
    holdsOf: (key) => keys.flatMap((each, at) => (each === key ? [`h${at}`] : [])),
  };
}

/** The words of a text that are found. */
export const foundIn = (text: string, ...values: readonly string[]): readonly string[] =>
  findHeld(text, held(...values)).map(({ end, start }) => text.slice(start, end));

/** What is served of a text of which these values are held. */
export function served(text: string, ...values: readonly string[]): string | null {
  const all = held(...values);
  const isHeld = (part: string): boolean => findHeld(part, all).length > 0;
  return servedText(text, findHeld(text, all), [...sentencesOf(text)], isHeld);
}
