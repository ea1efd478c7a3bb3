/** How much of what an answer claims stands in what it cites. Texts are compared by the stems of their content words. */
import type { TermsOf } from '../query/match-operators.ts';

export interface CitedText {
  readonly id: string;
  readonly text: string;
}

export interface AnswerSupport {
  /** For each cited text, the share of the claim's terms that it has. */
  readonly overlaps: readonly { readonly id: string; readonly overlap: number }[];
  /** The share that all of them have together. */
  readonly together: number;
}

/** An answer of which the cited texts have a smaller share is a lead at most. */
export const LEAST_SUPPORT = 0.2;

const HUNDREDTHS = 100;

function share(part: number, of: number): number {
  return of === 0 ? 1 : Math.round((part / of) * HUNDREDTHS) / HUNDREDTHS;
}

/**
 * What the answer claims: its terms that the question does not have. An answer without any, such as "Yes.", claims what
 * the question asks.
 */
function claimTerms(answer: string, question: string, termsOf: TermsOf): ReadonlySet<string> {
  const asked = new Set(termsOf(question));
  const said = new Set(termsOf(answer));
  const claimed = [...said].filter((term) => !asked.has(term));
  return claimed.length > 0 ? new Set(claimed) : said.size > 0 ? said : asked;
}

/** Compares an answer with the texts that it cites. Shares are from 0 to 1, in hundredths. */
export function supportOf(
  { answer, question }: { readonly answer: string; readonly question: string },
  cited: readonly CitedText[],
  termsOf: TermsOf,
): AnswerSupport {
  const claimed = claimTerms(answer, question, termsOf);
  const held = cited.map(({ id, text }) => {
    const terms = new Set(termsOf(text));
    return { id, terms: [...claimed].filter((term) => terms.has(term)) };
  });
  return {
    overlaps: held.map(({ id, terms }) => ({ id, overlap: share(terms.length, claimed.size) })),
    together: share(new Set(held.flatMap(({ terms }) => terms)).size, claimed.size),
  };
}
