/** Another wording of a query that is bound by the same phrases and exclusions. */
import { binds, rankingText, type ParsedQuery, type QueryBranch } from './parsed-query.ts';
import { parseQuery } from './parse-query.ts';

const quoted = (text: string): string => `"${text}"`;

function bound({ excludedPhrases, excludedTerms, phrases }: QueryBranch, wording: string): string {
  return [
    wording,
    ...phrases.map(quoted),
    ...excludedTerms.map((term) => `-${term}`),
    ...excludedPhrases.map((phrase) => `-${quoted(phrase)}`),
  ].join(' ');
}

/**
 * A query with the words of `wording`, whose own operators do not bind, and the operators of `query`, which do. An
 * alternative of free words alone keeps its words: others would let more through.
 */
export function withQueryOperatorsOf(query: ParsedQuery, wording: string): string {
  // A quoted `or` would join alternatives once its quotes are gone.
  const words = rankingText(parseQuery(wording))
    .split(' ')
    .filter((word) => word !== 'or')
    .join(' ');
  if (!query.branches.some(binds)) return words;
  return query.branches
    .map((branch) => (binds(branch) ? bound(branch, words) : branch.words.join(' ')))
    .join(' or ');
}
