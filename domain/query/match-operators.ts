/**
 * Decides whether a hydrated text satisfies the operators of a query. Indexes only narrow the candidates.
 *
 * - A word matches as a whole, exactly as normalised (NFKC, case, apostrophes), never by its stem: a query that
 *   excludes `general` still finds `generation`, and can exclude further forms by name. Stems would hide hits,
 *   and the caller could neither see nor undo it.
 * - A phrase is its words in a row, whatever white space or punctuation lies between.
 * - Runs of scripts without spaces (Han, kana, Thai, Lao, Khmer, Myanmar) match as substrings of a run, by
 *   whole characters with their marks.
 * - Alternatives: one branch must accept. Free words do not bind, except that an alternative of free words
 *   alone, beside one with operators, needs one of them in the text: else it would accept everything.
 */
import { foldText } from '../text/fold.ts';
import { characters, segmentsOfFolded, wordForms } from '../text/tokens.ts';
import { binds, type ParsedQuery, type QueryBranch } from './parsed-query.ts';

const EDGE = '\u0000';
const INNER = '\u0001';

/** Terms of a text by which alternatives of free words match; the default is exact words. */
export type TermsOf = (text: string) => Iterable<string>;

function encodedSegments(text: string): string[] {
  return segmentsOfFolded(foldText(text)).flatMap((segment) =>
    segment.kind === 'word'
      ? wordForms(segment.text)
      : [`${INNER}${characters(segment.text).join(INNER)}${INNER}`],
  );
}

/** Words between edges. A match may begin and end inside a run, so a run at an end of the phrase has no edge there. */
function encodeNeedle(phrase: string): string {
  const parts = encodedSegments(phrase);
  const head = parts.at(0)?.startsWith(INNER) ? '' : EDGE;
  const tail = parts.at(-1)?.startsWith(INNER) ? '' : EDGE;
  return `${head}${parts.join(EDGE)}${tail}`;
}

function encodeText(text: string): string {
  return `${EDGE}${encodedSegments(text).join(EDGE)}${EDGE}`;
}

/** Whether one alternative accepts a text, encoded and as it is. */
type Accepts = (haystack: string, text: string) => boolean;

function operatorsOf({ phrases, excludedTerms, excludedPhrases }: QueryBranch): Accepts {
  const required = phrases.map(encodeNeedle);
  const excluded = [...excludedTerms, ...excludedPhrases].map(encodeNeedle);
  return (haystack) =>
    required.every((needle) => haystack.includes(needle)) &&
    !excluded.some((needle) => haystack.includes(needle));
}

function termsIn({ words }: QueryBranch, termsOf: TermsOf | undefined): Accepts {
  const needles = [...new Set(words)].map(encodeNeedle);
  const wanted = new Set(termsOf?.(words.join(' ')));
  return (haystack, text) => {
    if (needles.some((needle) => haystack.includes(needle))) return true;
    for (const term of termsOf?.(text) ?? []) if (wanted.has(term)) return true;
    return false;
  };
}

/**
 * The check whether a text satisfies the query's operators: the query is read once, for hundreds of texts. A query
 * without operators accepts every text.
 * @param termsOf the ranker's analysis; with it alternatives of free words also match by inflected forms.
 */
export function queryOperatorCheck(
  query: ParsedQuery,
  termsOf?: TermsOf,
): (text: string) => boolean {
  if (!query.branches.some(binds)) return () => true;
  const checks = query.branches.map((branch) =>
    binds(branch) ? operatorsOf(branch) : termsIn(branch, termsOf),
  );
  return (text) => {
    const haystack = encodeText(text);
    return checks.some((accepts) => accepts(haystack, text));
  };
}
