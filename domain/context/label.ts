/** How a scope spells a name: the surface form of an entity card. */
import { aliasOf, MOST_NAME_WORDS } from '../entities/alias.ts';

/** Code units of a statement that are read for a spelling. */
const MOST_CHARS_READ = 2_048;
/** Code units of a spelling. */
const LONGEST_FORM = 256;
const OF_WORD = /[\p{L}\p{N}]/u;
const POSSESSIVE = /['’]s$|['’]$/u;

/** Without signs around it and without a possessive; empty for a text that is too long. */
function spellingOf(text: string): string {
  if (text.length > LONGEST_FORM) return '';
  const signs = Array.from(text.replace(POSSESSIVE, ''));
  const first = signs.findIndex((sign) => OF_WORD.test(sign));
  const last = signs.findLastIndex((sign) => OF_WORD.test(sign));
  return first === -1
    ? ''
    : signs
        .slice(first, last + 1)
        .join('')
        .replace(POSSESSIVE, '');
}

/** The spellings of the name in the text. */
function formsIn(text: string, alias: string): string[] {
  const words = text.slice(0, MOST_CHARS_READ).split(/\s+/u);
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    for (let length = 1; length <= MOST_NAME_WORDS && at + length <= words.length; length += 1) {
      const form = spellingOf(words.slice(at, at + length).join(' '));
      if (form !== '' && aliasOf(form) === alias) found.push(form);
    }
  }
  return found;
}

/**
 * The most frequent spelling of the name in the statements, then the shortest, then the first in the order of code units;
 * null where none is found.
 */
export function labelOf(alias: string, statements: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const statement of statements) {
    for (const form of new Set(formsIn(statement, alias)))
      counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const [first] = [...counts].sort(
    ([a, n], [b, m]) => m - n || a.length - b.length || (a < b ? -1 : 1),
  );
  return first?.[0] ?? null;
}
