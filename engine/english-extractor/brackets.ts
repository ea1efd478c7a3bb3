/** What a pronoun refers to, in brackets behind it. */
import { isPastForm } from '../../domain/text/past-form.ts';
import type { Word } from '../english/tagger.ts';
import type { ClausePlace } from './context.ts';
import { referentFor } from './referent-for.ts';
import type { Judged } from './judged.ts';

const WHOLE: ReadonlyMap<string, string> = new Map([
  ["'re", 'are'],
  ["'ve", 'have'],
  ["'ll", 'will'],
  ["'s", 'is'],
]);

/** "They're" with brackets behind its pronoun is "They [the kids] are". Null where nothing is short. */
function contraction(
  words: readonly Word[],
  at: number,
  pronounEnd: number,
): { readonly whole: string; readonly end: number } | null {
  const word = words[at];
  if (word === undefined || word.start !== pronounEnd) return null;
  const form = word.lower.replace('’', "'");
  const next = words[at + 1]?.lower ?? '';
  // "It's done" may be "is" or "has".
  if (form === "'s" && next !== 'been' && (isPastForm(next) || next === 'done')) return null;
  const whole = form === "'s" && next === 'been' ? 'has' : WHOLE.get(form);
  return whole === undefined ? null : { whole, end: word.end };
}

/** The text with what each unclear pronoun refers to behind it; null when one of them cannot be told. */
export function bracketed(
  { body, unclear, words }: Judged,
  { context, earlier }: ClausePlace,
): { readonly text: string; readonly start: number; readonly id: string | null } | null {
  let text = body;
  let start = Infinity;
  let id: string | null = null;
  for (const { at, kind } of unclear.toReversed()) {
    const word = words[at];
    const found = word === undefined ? null : referentFor(kind, earlier, context);
    if (word === undefined || found === null) return null;
    const short = contraction(words, at + 1, word.end);
    const rest = short === null ? text.slice(word.end) : ` ${short.whole}${text.slice(short.end)}`;
    text = `${text.slice(0, word.end)} [${found.text}]${rest}`;
    start = Math.min(start, found.start ?? Infinity);
    id = found.id ?? id;
  }
  return { text, start, id };
}
