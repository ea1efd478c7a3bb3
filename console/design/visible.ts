/** Characters that a reader cannot see, or that turn the text around them, as marks that a reader can see. */

/** Controls but tab and newline, and what begins, ends or overrides a direction beyond its own text. */
const UNSEEN = /[^\P{Cc}\t\n]|[\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
const PICTURES = 0x2400;
const LAST_OF_PICTURES = 0x1f;

function mark(character: string): string {
  const code = character.charCodeAt(0);
  if (code <= LAST_OF_PICTURES) return String.fromCharCode(PICTURES + code);
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** The text with such characters replaced: controls by their pictures, others by their numbers. */
export function visible(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replaceAll(UNSEEN, mark);
}
