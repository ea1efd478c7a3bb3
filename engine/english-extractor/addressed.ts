/**
 * Regular expressions that look for participants' names in a sentence. To build one of all the names of a crowd takes
 * longer than to read a text, so it holds only the names whose first letters occur in the sentence.
 */

/** No form of a name is shorter than this, unless its first part is. */
export const SHORTEST_FORM = 3;

const ASCII = /^\p{ASCII}*$/u;
/** Expressions read this character as an s (flags `iu`), and `toLowerCase` does not. */
const LONG_S = '\u017f';

interface Beginning {
  readonly name: string;
  /** Null outside ASCII, where `toLowerCase` alone does not make cases equal: such a name may stand anywhere. */
  readonly letters: string | null;
}

function beginningOf(name: string): Beginning {
  const [first = ''] = name.trimStart().split(/\s/u, 1);
  const letters = ASCII.test(first) ? first.slice(0, SHORTEST_FORM).toLowerCase() : null;
  return { name, letters };
}

/** The expression that `build` makes of the names which may stand in a sentence; null where none may. */
export function addressing(
  names: readonly string[],
  build: (names: readonly string[]) => RegExp,
): (sentence: string) => RegExp | null {
  const beginnings = names.filter((name) => name.trim() !== '').map(beginningOf);
  let last: { readonly names: string; readonly expression: RegExp } | null = null;
  return (sentence) => {
    const folded = sentence.toLowerCase().replaceAll(LONG_S, 's');
    const within = beginnings
      .filter(({ letters }) => letters === null || folded.includes(letters))
      .map(({ name }) => name);
    if (within.length === 0) return null;
    // Sentences of one text mostly address the same people.
    const key = within.join('\n');
    if (last?.names !== key) last = { names: key, expression: build(within) };
    return last.expression;
  };
}
