/** Whether a proposal says again, in other words, what a person or a rule refused. */
import { isComparable, meaningfulWords } from './paraphrase.ts';

/** Whether `text` says what the refused text says. Both are about the same subject. */
export type RefusalRule = (text: string, refused: string) => boolean;

/** The least share of the words of both texts that both have. */
const SHARED_WORDS = 0.6;

/**
 * Whether two texts share most of their words beside those of grammar: the Jaccard index of the two sets. It stands in
 * for an embedder that does not answer, so that what was refused does not come back meanwhile. Symmetric.
 */
export function sharesMostWords(a: string, b: string): boolean {
  const [inA, inB] = [new Set(meaningfulWords(a)), new Set(meaningfulWords(b))];
  const shared = [...inA].filter((word) => inB.has(word)).length;
  const all = inA.size + inB.size - shared;
  return all > 0 && shared >= SHARED_WORDS * all;
}

/** The rule where no embedder tells how alike two texts are. */
export const repeatsByWords: RefusalRule = (text, refused) =>
  isComparable(text, refused) && sharesMostWords(text, refused);

/** The rule with an embedder; it falls back on words where one of the texts has no vector. */
export function repeatsByLikeness(
  likeness: (a: string, b: string) => number | null,
  threshold: number,
): RefusalRule {
  return (text, refused) => {
    const cosine = likeness(text, refused);
    if (cosine === null) return repeatsByWords(text, refused);
    return cosine >= threshold && isComparable(text, refused);
  };
}
