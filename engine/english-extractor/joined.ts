/** Puts an assertion and what leans on it together. */
import { withoutEnding } from '../../domain/text/ending.ts';
import type { Clause, PlacedAssertion } from './assertion.ts';

/** In characters: a longer text is no longer one statement that a person can review. */
export const MAX_JOINED = 400;
const JOINER = /^[\s,;:.!…–—-]*(?:(?:and|but|so|plus)\s+)?$/iu;

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

/** Two texts as one: of one sentence with what stood between them, else as two sentences. */
function joinedText(first: string, gap: string, second: string, clause: string): string {
  if (/[.!…\n]/u.test(gap) || /^\s*$/u.test(gap)) return `${first} ${second}`;
  return `${withoutEnding(first, /[.!…]/u)}${gap}${withinSentence(second, clause)}`;
}

/** The assertion before, and the clause that needs it. */
export function joined(
  last: PlacedAssertion,
  clause: Clause,
  statement: string,
  content: string,
): PlacedAssertion | null {
  const gap = content.slice(last.end, clause.start);
  const span = content.slice(last.start, clause.end);
  if (!JOINER.test(gap) || PARAGRAPH.test(gap) || span.length > MAX_JOINED) return null;
  return {
    ...last,
    span,
    dated: span,
    statement: joinedText(last.statement, gap, statement, clause.text),
    end: clause.end,
  };
}
