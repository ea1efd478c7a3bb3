/**
 * The supporting span: where it stands in a message, and whether it asserts anything.
 * A model may fold white space and quotation marks when it copies; what is kept is always the message's
 * own text, so that a stored span is found in its source by plain comparison.
 */
import type { SourceMessage } from './candidate.ts';
import { endsInQuestion } from './validate-text.ts';

const INVISIBLE = /[\u200B-\u200D\u2060\uFEFF]/u;
const SENTENCE_END = /(?<=[.!?…])\s+|(?<=[。！？؟])|\n+/u;
const SHORTEST_TELLING_WORD = 3;

/** The slice of `content` that the span copies, or null when it copies none. */
export function locateSpan(content: string, span: string): string | null {
  const wanted = span.trim();
  if (wanted === '') return null;
  if (content.includes(wanted)) return wanted;
  const folded = foldWithPositions(content);
  const needle = foldWithPositions(wanted).text.trim();
  if (needle === '') return null;
  const start = folded.text.indexOf(needle);
  if (start === -1) return null;
  const from = folded.starts[start];
  const until = folded.ends[start + needle.length - 1];
  return from === undefined || until === undefined ? null : content.slice(from, until);
}

/**
 * Whether the span is a question and the statement says nothing that the sources say outside questions.
 * "Do you like jazz? I love jazz." supports a claim about jazz though the span may be the question.
 */
export function onlyAsks(
  span: string,
  statement: string,
  subjectNames: readonly string[],
  cited: readonly SourceMessage[],
): boolean {
  if (!isAsked(span, cited)) return false;
  const names = new Set(subjectNames.flatMap(words));
  const claim = words(statement).filter((word) => !names.has(word));
  const asserted = new Set(
    cited
      .flatMap((message) => message.content.split(SENTENCE_END))
      .filter((sentence) => !endsInQuestion(sentence))
      .flatMap(words),
  );
  return !claim.some((word) => asserted.has(word) || hasSameStem(word, asserted));
}

/** A span is asked when it ends in a question mark or was cut just before one. */
function isAsked(span: string, cited: readonly SourceMessage[]): boolean {
  if (endsInQuestion(span)) return true;
  const source = cited.find((message) => message.content.includes(span));
  if (source === undefined) return false;
  const end = source.content.indexOf(span) + span.length;
  return endsInQuestion(source.content.slice(end, end + 2).trim());
}

/** Lower-cased words long enough to tell claims apart; single characters of scripts without spaces. */
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

/** "moved" and "move", "likes" and "like": the same first letters up to the shorter word's last one. */
function hasSameStem(word: string, others: ReadonlySet<string>): boolean {
  if (word.length < 4) return false;
  const stem = word.slice(0, Math.max(4, word.length - 3));
  for (const other of others) if (other.startsWith(stem)) return true;
  return false;
}

const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  'the and for has had have was were are with that this from they she her his him their who its not'.split(
    ' ',
  ),
);

interface Folded {
  readonly text: string;
  /** For each code unit of `text`: where its origin starts and ends in the original. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

function foldWithPositions(original: string): Folded {
  let text = '';
  const starts: number[] = [];
  const ends: number[] = [];
  for (let index = 0; index < original.length; index += 1) {
    const unit = original.charAt(index);
    if (INVISIBLE.test(unit)) continue;
    const isSpace = /\s/u.test(unit);
    if (isSpace && text.endsWith(' ')) {
      ends[ends.length - 1] = index + 1;
      continue;
    }
    text += isSpace ? ' ' : straight(unit);
    starts.push(index);
    ends.push(index + 1);
  }
  return { text, starts, ends };
}

function straight(unit: string): string {
  if ('‘’‚ʼ'.includes(unit)) return "'";
  if ('“”„'.includes(unit)) return '"';
  return '‐‑–—'.includes(unit) ? '-' : unit;
}
