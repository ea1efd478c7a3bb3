/**
 * How much a query may ask. Each alternative and each operator costs a question to an index and a check of every
 * candidate, and the whole query goes to an embedder that is paid for.
 */
import { parseQuery } from './parse-query.ts';

/** In UTF-8. A page of text; a longer query looks for nothing in particular. */
export const LONGEST_QUERY_BYTES = 4_096;
/** Alternatives that `or` joins. */
export const MOST_QUERY_BRANCHES = 16;
/** Phrases and exclusions of all alternatives. */
export const MOST_QUERY_OPERATORS = 32;

/** Whether the text has more UTF-8 bytes than `bytes`. It counts without encoding, and so is cheap for any text. */
export function isLongerThan(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  let size = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    size += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
  }
  return size > bytes;
}

/** Why the query is too large, in words for its sender; null when it is not. */
export function queryProblem(query: string): string | null {
  if (isLongerThan(query, LONGEST_QUERY_BYTES)) {
    return `must have at most ${LONGEST_QUERY_BYTES} bytes`;
  }
  const { branches } = parseQuery(query);
  if (branches.length > MOST_QUERY_BRANCHES) {
    return `must have at most ${MOST_QUERY_BRANCHES} alternatives`;
  }
  const operators = branches.reduce(
    (sum, { phrases, excludedTerms, excludedPhrases }) =>
      sum + phrases.length + excludedTerms.length + excludedPhrases.length,
    0,
  );
  return operators > MOST_QUERY_OPERATORS
    ? `must have at most ${MOST_QUERY_OPERATORS} phrases and exclusions`
    : null;
}
