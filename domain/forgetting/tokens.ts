/**
 * Texts as values are compared: in folded words and groups of digits. What people take for the same value folds to the same key,
 * however it is grouped, spelt or written: "020 7946 0011" and "(020) 7946-0011", "24 July 2026" and "2026-07-24".
 */
import { foldText } from '../text/fold.ts';

/** A word or a group of digits, folded, with its place in code units. */
export interface FoldedToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Words of a value, and groups of its digits. */
export const MOST_TOKENS_OF_VALUE = 8;

const TOKEN = /(?:[\p{L}\p{N}]\p{M}*)+/gu;
const DIGITS = /^\d+$/u;
const OTHER_DIGIT = /[^\P{Nd}0-9]/gu;
const IS_DIGIT = /\p{Nd}/u;

/** Digits of any script stand in blocks of ten. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && IS_DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/** All of them in text order, one by one; linear. */
export function* tokensOf(text: string): Generator<FoldedToken> {
  for (const match of text.matchAll(TOKEN)) {
    yield {
      text: foldText(match[0]).replaceAll(OTHER_DIGIT, asciiDigit),
      start: match.index,
      end: match.index + match[0].length,
    };
  }
}

/** All of them in text order; linear. */
export const foldedTokens = (text: string): readonly FoldedToken[] => [...tokensOf(text)];

/** What may stand between groups of digits of one number. */
const WITHIN_NUMBER = /^(?:[ .\-/\u00a0\u2011\u202f]|\) ?| ?\()$/u;

const MONTHS = new Map(
  'january february march april may june july august september october november december'
    .split(' ')
    .flatMap((name, at) => [
      [name, at + 1],
      [name.slice(0, 3), at + 1],
    ]),
);

const two = (value: number): string => String(value).padStart(2, '0');

/** A day; a year of 0 is none. */
function dayKey(year: number, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  return `${year === 0 ? '' : year}-${two(month)}-${two(day)}`;
}

const asNumber = (text: string | undefined, digits: RegExp): number =>
  text !== undefined && digits.test(text) ? Number(text) : 0;
const YEAR = /^\d{4}$/u;
const SHORT = /^\d{1,2}$/u;
const DAY = /^\d{1,2}(?:st|nd|rd|th)?$/u;
const dayOf = (text: string | undefined): number =>
  text !== undefined && DAY.test(text) ? Number.parseInt(text, 10) : 0;

/** "24 July 2026", "July 24", "July 24, 2026". */
function namedDay([a = '', b = '']: readonly string[], year: number): string | null {
  const first = MONTHS.get(a);
  if (first !== undefined) return dayKey(year, first, dayOf(b));
  const second = MONTHS.get(b);
  return second === undefined ? null : dayKey(year, second, dayOf(a));
}

/** "24/7/2026": day and month where one of them can only be the day, or both are the same. */
function numberedDay([a, b]: readonly string[], year: number): string | null {
  const [left, right] = [asNumber(a, SHORT), asNumber(b, SHORT)];
  if (left > 12) return dayKey(year, right, left);
  return right > 12 || left === right ? dayKey(year, left, right) : null;
}

/** The day that two or three words name, where it is without doubt. */
function dateKey(run: readonly string[]): string | null {
  if (run.length < 2 || run.length > 3) return null;
  const [a, b, c] = run;
  if (c === undefined) return namedDay(run, 0);
  const first = asNumber(a, YEAR);
  if (first > 0) return dayKey(first, asNumber(b, SHORT), asNumber(c, SHORT));
  const year = asNumber(c, YEAR);
  return year === 0 ? null : (namedDay(run, year) ?? numberedDay(run, year));
}

/** Whether the token goes on with the number of the one before it. A comma does so before three digits only: "2,350". */
export function continuesNumber(
  text: string,
  last: FoldedToken | undefined,
  token: FoldedToken,
): boolean {
  if (last === undefined || !DIGITS.test(token.text) || !DIGITS.test(last.text)) return false;
  const between = text.slice(last.end, token.start);
  return between === ',' ? token.text.length === 3 : WITHIN_NUMBER.test(between);
}

/** The words of a run with groups of one number joined. */
function piecesOf(text: string, run: readonly FoldedToken[]): readonly string[] {
  const pieces: string[] = [];
  for (const [at, token] of run.entries()) {
    if (continuesNumber(text, run[at - 1], token)) pieces[pieces.length - 1] += token.text;
    else pieces.push(token.text);
  }
  return pieces;
}

/** The day that a run of tokens names; null for every other run. */
export function dayOfRun(run: readonly FoldedToken[]): string | null {
  // Most runs are refused by their first look: neither a month among the first two words, nor digits first.
  const [first, second] = run;
  const mayBe =
    MONTHS.has(first?.text ?? '') ||
    MONTHS.has(second?.text ?? '') ||
    DIGITS.test(first?.text ?? '');
  if (!mayBe) return null;
  return dateKey(run.map((token) => token.text));
}

/** The keys of a run of tokens: its words, and the day that it names. */
export function keysOf(text: string, run: readonly FoldedToken[]): readonly string[] {
  const words = piecesOf(text, run).join(' ');
  const day = dayOfRun(run);
  return day === null ? [words] : [words, day];
}
