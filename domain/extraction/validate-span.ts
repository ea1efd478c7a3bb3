/**
 * The supporting span: where it stands in a message, and whether it asserts anything.
 * A model may fold white space and quotation marks when it copies; what is kept is always the message's
 * own text, so that a stored span is found in its source by plain comparison.
 */
import type { SourceMessage } from '../statements/candidate.ts';
import { endsInQuestion } from './validate-text.ts';
import { wordSet } from '../text/word-set.ts';

const INVISIBLE = /[\u200B-\u200D\u2060\uFEFF]/u;
const INVISIBLE_ALL = /[\u200B-\u200D\u2060\uFEFF]+/gu;
const SPACE = /\s/u;
const STRAIGHT: ReadonlyMap<string, string> = new Map(
  [
    ['‘’‚ʼ', "'"],
    ['“”„', '"'],
    ['‐‑–—', '-'],
  ].flatMap(([signs = '', straight = '']) => Array.from(signs, (sign) => [sign, straight])),
);
const TYPOGRAPHIC = /[‘’‚ʼ“”„‐‑–—]/gu;
const SENTENCE_END = /(?<=[.!?…])\s+|(?<=[。！？؟])|\n+/u;
const SHORTEST_TELLING_WORD = 3;

/** The slice of `content` that the span copies, or null when it copies none. */
export function locateSpan(content: string, span: string): string | null {
  const wanted = span.trim();
  if (wanted === '') return null;
  if (content.includes(wanted)) return wanted;
  const needle = folded(wanted).trim();
  // Most spans that are not found verbatim are not there at all; positions are computed only for the others.
  if (needle === '' || !folded(content).includes(needle)) return null;
  const { text, starts, ends } = foldWithPositions(content);
  const start = text.indexOf(needle);
  return start === -1 ? null : content.slice(starts[start], ends[start + needle.length - 1]);
}

/**
 * Whether the span is a question and the statement says nothing that the sources say outside questions.
 * "Do you like jazz? I love jazz." supports a statement about jazz though the span may be the question.
 */
export function onlyAsks(
  span: string,
  statement: string,
  subjectNames: readonly string[],
  cited: readonly SourceMessage[],
): boolean {
  if (!isAsked(span, cited)) return false;
  const names = new Set(subjectNames.flatMap(words));
  const stated = words(statement).filter((word) => !names.has(word));
  const asserted = new Set(
    cited
      .flatMap((message) => message.content.split(SENTENCE_END))
      .filter((sentence) => !endsInQuestion(sentence))
      .flatMap(words),
  );
  if (stated.some((word) => asserted.has(word))) return false;
  const inOrder = [...asserted].sort();
  return !stated.some((word) => hasSameStem(word, inOrder));
}

/** A span is asked when it ends in a question mark or was cut just before one. */
function isAsked(span: string, cited: readonly SourceMessage[]): boolean {
  if (endsInQuestion(span)) return true;
  const source = cited.find((message) => message.content.includes(span));
  if (source === undefined) return false;
  const end = source.content.indexOf(span) + span.length;
  return endsInQuestion(source.content.slice(end, end + 2).trim());
}

/** Lower-cased words long enough to tell statements apart; single characters of scripts without spaces. */
function words(text: string): string[] {
  const parts =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return parts.flatMap((part) => {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(part)) {
      return part.match(/./gu) ?? [];
    }
    return part.length >= SHORTEST_TELLING_WORD && !FUNCTION_WORDS.has(part) ? [part] : [];
  });
}

/**
 * Whether one of `others` begins with `word` less its last three letters, of which at least four stay: "moved" finds
 * "move", "likes" finds "like". `others` are sorted, so the first one that is not before the stem begins with it, or
 * none does.
 */
function hasSameStem(word: string, others: readonly string[]): boolean {
  if (word.length < 4) return false;
  const stem = word.slice(0, Math.max(4, word.length - 3));
  let [low, high] = [0, others.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((others[middle] ?? '') < stem) low = middle + 1;
    else high = middle;
  }
  return others[low]?.startsWith(stem) ?? false;
}

const FUNCTION_WORDS = wordSet(
  'the and for has had have was were are with that this from they she her his him their who its not',
);

interface Folded {
  readonly text: string;
  /** For each code unit of `text`: where its origin starts and ends in the original. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** As `folded`, with the origin of each character. */
function foldWithPositions(original: string): Folded {
  const units: string[] = [];
  const starts = new Uint32Array(original.length);
  const ends = new Uint32Array(original.length);
  for (let index = 0; index < original.length; index += 1) {
    const unit = original.charAt(index);
    if (INVISIBLE.test(unit)) continue;
    const isSpace = SPACE.test(unit);
    if (isSpace && units.at(-1) === ' ') {
      ends[units.length - 1] = index + 1;
      continue;
    }
    starts[units.length] = index;
    ends[units.length] = index + 1;
    units.push(isSpace ? ' ' : (STRAIGHT.get(unit) ?? unit));
  }
  return { text: units.join(''), starts, ends };
}

/** The text as it is compared: nothing invisible, one space for any white space, straight quotation marks. */
function folded(text: string): string {
  return text
    .replaceAll(INVISIBLE_ALL, '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(TYPOGRAPHIC, (sign) => STRAIGHT.get(sign) ?? sign);
}
