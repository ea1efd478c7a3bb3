/** How the functions that look for values in texts are called with a pump. */
import { findHeld, type HeldValues } from '../../../domain/forgetting/find.ts';
import { foldedTokens } from '../../../domain/forgetting/tokens.ts';
import { createHoldKeys } from '../../../engine/forgetting/hold-keys.ts';
import { sentencesOf } from '../../../engine/text/sentences.ts';
import type { Call } from './answer-calls.ts';

const KEYS = createHoldKeys(new Uint8Array(32), 'account');
const HINTS = 10_000;
const BITS = 0xff_ff_ff;

/** As many values as an account may have that holds many; none of them stands in a pump. */
const HELD: HeldValues = {
  hintOf: (word) => word.length * 7_919 + (word.codePointAt(0) ?? 0),
  hints: new Set(Array.from({ length: HINTS }, (_, at) => Math.imul(at, 2_654_435_761) & BITS)),
  holdsOf: () => [],
};
const isHeld = (text: string): boolean => findHeld(text, HELD).length > 0;
const token = (text: string) => ({ text, start: 0, end: text.length });
/** Every tenth word is held. */
const places = (text: string) =>
  foldedTokens(text)
    .filter((_, at) => at % 10 === 0)
    .map(({ end, start }) => ({ start, end, holdIds: ['id'] }));

export const FORGETTING_CALLS: Readonly<Record<string, readonly Call[]>> = {
  'domain/forgetting/find.ts#hintOfKey': [(fn, text) => fn(text, HELD.hintOf)],
  'domain/forgetting/find.ts#findHeld': [(fn, text) => fn(text, HELD)],
  'domain/forgetting/find.ts#searchHeld': [
    (fn, text) => [...(fn(text, HELD) as Iterable<unknown>)],
  ],
  'engine/portability/sealed-keys.ts#withKeysTurned': [
    (fn, text) => fn('forget_holds', [JSON.stringify({ id: text, sealed_key: text })], KEYS),
  ],
  'engine/forgetting/judges.ts#hashOfValue': [(fn, text) => fn(new Uint8Array(32), text)],
  'domain/forgetting/tokens.ts#continuesNumber': [
    (fn, text) =>
      fn(`1${text}2`, token('1'), { text: '2', start: text.length + 1, end: text.length + 2 }),
  ],
  'domain/forgetting/tokens.ts#keysOf': [
    (fn, text) => fn(text, foldedTokens(text).slice(0, 8)),
    (fn, text) => fn(text, [token(text)]),
  ],
  'domain/forgetting/served.ts#servedText': [
    (fn, text) => fn(text, places(text), [...sentencesOf(text)], isHeld),
    (fn, text) => fn(text, [{ start: 0, end: 1, holdIds: ['id'] }], [...sentencesOf(text)], isHeld),
  ],
};
