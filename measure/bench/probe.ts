/**
 * Two queries for a statement. It must be found by a phrase that message and statement share word for word. It must not
 * be found by its other words when one of the phrase's words is excluded.
 */

export interface Probe {
  /** A quoted phrase. */
  readonly phrase: string;
  /** The word that is excluded. */
  readonly word: string;
  /** The other words of the statement; they find it while no word is excluded. */
  readonly others: string;
  readonly excluding: string;
}

const LONGEST_PHRASE = 3;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const PLAIN = /^\p{L}{3,}$/u;
const NOT_INNER = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

function plainWords(text: string): string[] {
  return text
    .split(/\s+/u)
    .map((token) => token.replace(NOT_INNER, ''))
    .filter((token) => PLAIN.test(token) && token.toLowerCase() !== 'or');
}

/** Every sequence of `length` words of the text, without the punctuation around it. */
function runs(text: string, length: number): string[] {
  const tokens = text.split(/\s+/u).filter((token) => token !== '');
  return tokens
    .slice(0, Math.max(0, tokens.length - length + 1))
    .map((_, at) =>
      tokens
        .slice(at, at + length)
        .join(' ')
        .replace(NOT_INNER, ''),
    )
    .filter((run) => !run.includes('"'));
}

function longest(words: readonly string[]): string | undefined {
  return words.toSorted((a, b) => b.length - a.length)[0];
}

/** Null when message and statement share no plain word, or the statement has no other plain word. */
export function probeFor(content: string, statement: string): Probe | null {
  for (let length = LONGEST_PHRASE; length > 0; length -= 1) {
    for (const phrase of runs(statement, length)) {
      const word = longest(plainWords(phrase));
      if (word === undefined || !content.includes(phrase)) continue;
      const others = plainWords(statement).filter((other) => !sameWord(other, word));
      if (others.length === 0) continue;
      const query = others.join(' ');
      return { phrase: `"${phrase}"`, word, others: query, excluding: `${query} -${word}` };
    }
  }
  return null;
}

function sameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Whether the text holds the word, as a whole word in any case. */
export function containsWord(text: string, word: string): boolean {
  return (text.match(WORD) ?? []).some((found) => sameWord(found, word));
}
