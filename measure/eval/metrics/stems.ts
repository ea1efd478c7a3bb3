/**
 * The words by which texts are compared: lower case, possessives cut, stop words out, irregular forms folded, Porter
 * stems. It is deliberately separate from the text analysis of the service, so that a change there does not change the
 * measure. Both share only the list of irregular forms, which is a fact about English.
 */
import { stemmer } from 'stemmer';
import { irregularBase } from '../../../domain/text/irregular.ts';

const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are as at be because been before being but by can could did do does doing
down during each for from further had has have having he her hers him his how i if in into is it its just me more most
my no nor not now of off on once only or other others our ours out over own same she should so some such than that the their
theirs them then there these they this those through to too under until up very was we were what when where which
while who whom why will with would you your yours m s t ve re ll d don didn doesn isn wasn won`.split(
    /\s+/u,
  ),
);

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Every word of a text, lower case. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
}

/** Content stems in text order, repetitions kept. */
export function stemsOf(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => irregularBase(word))
    .map((word) => (/^[a-z]+$/u.test(word) ? stemmer(word) : word));
}

/** Harmonic mean of precision and recall over two bags of tokens, 0 to 1; 0 when one is empty. */
export function tokenF1(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const token of left) counts.set(token, (counts.get(token) ?? 0) + 1);
  let shared = 0;
  for (const token of right) {
    const rest = counts.get(token) ?? 0;
    if (rest === 0) continue;
    counts.set(token, rest - 1);
    shared += 1;
  }
  return shared === 0 ? 0 : (2 * shared) / (left.length + right.length);
}
