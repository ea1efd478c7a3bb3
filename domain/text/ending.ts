/** Reads ends of texts backwards: a pattern like `[.!]+$` starts at every sign and costs the square of their number. */

/**
 * The text without the characters at its end that `isEnding` matches. The pattern matches one UTF-16 code unit and has
 * neither the flag `g` nor `y`.
 */
export function withoutEnding(text: string, isEnding: RegExp): string {
  let end = text.length;
  while (end > 0 && isEnding.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
