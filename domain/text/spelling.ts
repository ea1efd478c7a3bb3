/** The words that a slip of the pen makes of a word: a letter left out, put in or replaced, or two neighbours swapped. */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Shorter words have too many neighbours. Words of other scripts are compared by their pieces (`analyze`). */
const REPAIRABLE = /^\p{sc=Latin}{4,24}$/u;

/** Whether a folded word is looked for under other spellings. */
export function isRepairable(word: string): boolean {
  return REPAIRABLE.test(word);
}

/**
 * All words one slip away from a folded word, without the word itself: 52 for each of its letters. A letter that is
 * put in, or takes the place of another one, is one of `a` to `z`.
 */
export function oneSlipAway(word: string): ReadonlySet<string> {
  const letters = Array.from(word);
  const found = new Set<string>();
  for (let at = 0; at <= letters.length; at += 1) {
    const before = letters.slice(0, at).join('');
    const [one, two, ...rest] = letters.slice(at);
    const after = letters.slice(at).join('');
    const afterNext = letters.slice(at + 1).join('');
    for (const letter of LETTERS) found.add(before + letter + after);
    if (one === undefined) continue;
    found.add(before + afterNext);
    for (const letter of LETTERS) found.add(before + letter + afterNext);
    if (two !== undefined) found.add(before + two + one + rest.join(''));
  }
  found.delete(word);
  return found;
}
