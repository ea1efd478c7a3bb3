/**
 * Phrases made of words that weigh nothing, such as "it was one": no ranking index finds them, although the caller
 * quoted them. The full-text index has listed the candidates that hold them, and the search takes those.
 */
import type { QueryOperatorAlternative } from '../../domain/retrieval/statement-search.ts';
import type { QueryPlan } from '../text/query-plan.ts';

/** Whether the query asks for phrases and has no word to rank by. */
export function asksByPhraseAlone({ terms, parsed }: Pick<QueryPlan, 'terms' | 'parsed'>): boolean {
  const { branches } = parsed;
  return terms.size === 0 && branches.some(({ phrases }) => phrases.length > 0);
}

/** The ids that the alternatives name, newest first, at most `limit`. */
export function namedIds(
  queryOperators: readonly QueryOperatorAlternative[] | null,
  limit: number,
): readonly string[] {
  const named = new Set((queryOperators ?? []).flatMap(({ onlyIds }) => onlyIds ?? []));
  // Ids begin with the time they were made at.
  return [...named].toSorted((a, b) => (a < b ? 1 : -1)).slice(0, limit);
}
