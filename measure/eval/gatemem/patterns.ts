/** Whether a text holds what a pattern of the benchmark names, by the rules of the benchmark's own scorer. */

const MARKS_OF_AN_EXPRESSION = /[\\[\]()|?+*{}]/u;
const PLAIN_WORDS = /^[a-z0-9][a-z0-9\s_\-/.:]*[a-z0-9]$/u;
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

function plain(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim().toLowerCase();
}

/** The pattern as a regular expression where it looks like one and is one. */
function expressionOf(pattern: string): RegExp | null {
  if (!MARKS_OF_AN_EXPRESSION.test(pattern)) return null;
  try {
    // oxlint-disable-next-line require-unicode-regexp -- Patterns escape characters that the flag does not let escape.
    return new RegExp(pattern, 'i');
  } catch {
    return null;
  }
}

/** Plain words are found as whole words, anything else as a part of the text; letter case and spaces do not count. */
export function holds(text: string, pattern: string): boolean {
  const expression = expressionOf(pattern);
  if (expression !== null) return expression.test(text);
  const wanted = plain(pattern);
  if (wanted === '') return false;
  if (!PLAIN_WORDS.test(wanted)) return plain(text).includes(wanted);
  const whole = new RegExp(
    `(?<![\\p{L}\\p{N}_])${wanted.replaceAll(SPECIAL, String.raw`\$&`)}(?![\\p{L}\\p{N}_])`,
    'u',
  );
  return whole.test(plain(text));
}
