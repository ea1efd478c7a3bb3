/** Puts an assertion and what leans on it together. */
import { withoutEnding } from '../../domain/text/ending.ts';
import { tagged } from '../english/tagger.ts';
import { mentionsOf } from './referents/mentions.ts';
import type { Piece, PlacedAssertion } from './assertion.ts';

/** In characters: a longer text is no longer one statement that a person can review. */
export const MAX_JOINED = 400;
const JOINER = /^[\s,;:.!…–—-]*(?:(?:and|but|so|plus)\s+)?$/iu;

/** Stands between two sentences for the end of the first that is left out. */
const LEFT_OUT = '. ';
const PARAGRAPH = /\n\s*\n/u;
const FIRST_WORD = /^[\p{L}'’]+/u;

/** The statement with the first letter that its clause has within its sentence. */
function withinSentence(statement: string, clause: string): string {
  const said = FIRST_WORD.exec(clause)?.[0] ?? '';
  const told = FIRST_WORD.exec(statement)?.[0] ?? '';
  return said.toLowerCase() === told.toLowerCase()
    ? `${said}${statement.slice(told.length)}`
    : statement;
}

/** Whether nothing stands between two clauses but signs and a conjunction. */
export const isJoiner = (gap: string): boolean => JOINER.test(gap) && !PARAGRAPH.test(gap);

/** Two texts as one: of one sentence with what stood between them, else as two sentences. */
export function joinedText(first: string, gap: string, second: string, clause: string): string {
  if (gap === LEFT_OUT) return `${withoutEnding(first, /[.!…]/u)}${gap}${second}`;
  if (/[.!…\n]/u.test(gap) || /^\s*$/u.test(gap)) return `${first} ${second}`;
  return `${withoutEnding(first, /[.!…]/u)}${gap}${withinSentence(second, clause)}`;
}

/** The end of a sentence that says nothing of its own, as far as it may lie between two that are put together. */
const SENTENCE_END = /^[^.!?…\n]{1,120}[.!…]+\s*$/u;

/** "..., and it was great. They": what was left out between the two names nothing that the second may mean. */
function namesNothing(gap: string): boolean {
  if (!SENTENCE_END.test(gap)) return false;
  const text = gap.trim();
  return mentionsOf(tagged(text), text).length === 0;
}

/** The assertion before, and the clause that needs it. */
export function joined(
  last: PlacedAssertion,
  clause: Piece,
  statement: string,
  content: string,
): PlacedAssertion | null {
  const between = content.slice(last.end, clause.start);
  const gap = namesNothing(between) ? LEFT_OUT : between;
  const span = content.slice(last.start, clause.end);
  if (!isJoiner(gap) || span.length > MAX_JOINED) return null;
  return {
    ...last,
    span,
    dated: span,
    statement: joinedText(last.statement, gap, statement, clause.text),
    end: clause.end,
  };
}
