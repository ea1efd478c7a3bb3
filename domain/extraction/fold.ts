/** Identity of a statement for dedupe: two statements with the same fold say the same in the same words. */
import { foldText } from '../text/fold.ts';

/** Everything but letters, digits, marks, signs that carry meaning, and points inside numbers. */
const NOT_CONTENT = /(?<!\p{N})[.,:]+|[.,:]+(?!\p{N})|[^\p{L}\p{N}\p{M}\p{Sc}\p{Sm}%#&.,:]+/gu;

/**
 * Case, punctuation and whitespace folded, after NFKC. Apostrophes vanish (`don't` = `dont`), points inside
 * numbers stay (`1.5` is not `15`), and so do currency and mathematical signs. Idempotent.
 */
export function foldStatement(statement: string): string {
  return foldText(statement)
    .replaceAll("'", '')
    .replace(NOT_CONTENT, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}
