/** Whether a transcript shows that a person was asked about a statement, and answered. */
import { isEvidenceRole } from '../observations/roles.ts';
import { characters, segments, wordForms } from '../text/tokens.ts';
import type { AnswerVerdict } from './words.ts';

/** A turn after the delivery, recorded by somebody else than the one who reports the answer. */
export interface TranscriptTurn {
  readonly role: string;
  /** Whether the person who was asked said it. */
  readonly bySubject: boolean;
  /** The beginning of it. */
  readonly text: string;
}

/** How many turns after the quotation the person may answer. */
const MOST_TURNS_TO_ANSWER = 6;

/** The words in their order, and single characters of scripts without spaces: no case, no spaces, no punctuation. */
function tokensOf(text: string): readonly string[] {
  return segments(text).flatMap(({ kind, text: segment }) =>
    kind === 'word' ? wordForms(segment) : characters(segment),
  );
}

/** For each beginning of the pattern: the length of its longest proper beginning that it also ends with. */
function bordersOf(pattern: readonly string[]): number[] {
  const borders = [0];
  let length = 0;
  for (let at = 1; at < pattern.length; at += 1) {
    while (length > 0 && pattern[at] !== pattern[length]) length = borders[length - 1] ?? 0;
    if (pattern[at] === pattern[length]) length += 1;
    borders.push(length);
  }
  return borders;
}

/** Whether the text has all words of the quotation, one after the other. Linear in both. False for a text without words. */
export function quotes(text: string, quotation: string): boolean {
  const pattern = tokensOf(quotation);
  if (pattern.length === 0) return false;
  const borders = bordersOf(pattern);
  let matched = 0;
  for (const token of tokensOf(text)) {
    while (matched > 0 && token !== pattern[matched]) matched = borders[matched - 1] ?? 0;
    if (token === pattern[matched]) matched += 1;
    if (matched === pattern.length) return true;
  }
  return false;
}

const wordsOf = (list: string): ReadonlySet<string> => new Set(list.split(' '));
/** First words of plain answers, in some languages. An answer that begins with none of them contradicts nothing. */
const YES = wordsOf(
  'yes yeah yep yup correct right true exactly indeed ja jawohl stimmt richtig genau oui si sì sim да tak はい 是 对 對 네 예 evet',
);
const NO = wordsOf(
  'no nope nah never wrong incorrect false not nein falsch nicht non não nao нет nie nej nee いいえ 不 否 没 아니요 아니오 hayır',
);

/** Whether the answer plainly says the opposite of what is reported. */
export function contradicts(
  answer: string,
  verdict: Extract<AnswerVerdict, 'confirm' | 'reject'>,
): boolean {
  const [first] = segments(answer);
  if (first === undefined) return false;
  const words = first.kind === 'word' ? [first.text] : [first.text, first.text.charAt(0)];
  const said = verdict === 'confirm' ? NO : YES;
  return words.some((word) => said.has(word));
}

/**
 * Whether an assistant quoted the statement and the person answered within six turns, and did not plainly say the
 * opposite of the verdict. `turns` are in the order in which they were said.
 */
export function isAnswered(
  turns: readonly TranscriptTurn[],
  statement: string,
  verdict: Extract<AnswerVerdict, 'confirm' | 'reject'>,
): boolean {
  let asked: number | null = null;
  for (const [at, { bySubject, role, text }] of turns.entries()) {
    const isAnswer = bySubject && isEvidenceRole(role);
    if (isAnswer && asked !== null && at - asked <= MOST_TURNS_TO_ANSWER) {
      return !contradicts(text, verdict);
    }
    if (role.toLowerCase() === 'assistant' && quotes(text, statement)) asked = at;
  }
  return false;
}
