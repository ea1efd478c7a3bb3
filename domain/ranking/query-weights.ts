/**
 * What each term of a query weighs: how rare it is, less for words that only frame a question, and the weaker weights of
 * terms that a question did not say but may mean.
 */

/** Another term that may stand in the text instead of one of the question. */
export interface AlternativeTerm {
  readonly term: string;
  /** The term of the question, or null for parts of a compound, which weigh for themselves. */
  readonly insteadOf: string | null;
  /** Between 0 and 1: how surely the one stands for the other. */
  readonly strength: number;
}

export interface QueryTerms {
  /** Terms of the question with their counts. */
  readonly terms: ReadonlyMap<string, number>;
  /** Terms that only frame the question, such as `kind` or `describe`. */
  readonly frame: ReadonlySet<string>;
  readonly alternatives: readonly AlternativeTerm[];
  /** What terms that nobody has used are meant to be, none of them among `terms`, with their counts; nothing unless given. */
  readonly repaired?: ReadonlyMap<string, number>;
}

export interface QueryTermWeights {
  readonly frame: number;
  readonly related: number;
  readonly compound: number;
  /** Below 1: a word that is spelt right counts more than one that may be meant. */
  readonly repaired: number;
}

export const QUERY_TERM_WEIGHTS: QueryTermWeights = {
  frame: 0.5,
  related: 0.4,
  compound: 0.6,
  repaired: 0.8,
};

/**
 * Weights by term. `rarity` is the weight of a single occurrence of a term (`queryWeight`). A term that stands for another
 * weighs at most as much as either of the two would.
 */
export function queryWeights(
  query: QueryTerms,
  rarity: (term: string) => number,
  weights: QueryTermWeights = QUERY_TERM_WEIGHTS,
): Map<string, number> {
  const factor = (term: string): number => (query.frame.has(term) ? weights.frame : 1);
  const own = new Map(
    Array.from(query.terms, ([term, n]) => [term, n * rarity(term) * factor(term)] as const),
  );
  const more = new Map(
    Array.from(
      query.repaired ?? [],
      ([term, n]) => [term, weights.repaired * n * rarity(term) * factor(term)] as const,
    ),
  );
  const weightOf = (term: string): number => own.get(term) ?? more.get(term) ?? 0;
  for (const { term, insteadOf, strength } of query.alternatives) {
    if (own.has(term)) continue;
    const weight =
      insteadOf === null
        ? weights.compound * strength * rarity(term)
        : weights.related * strength * Math.min(weightOf(insteadOf), rarity(term));
    if (weight > (more.get(term) ?? 0)) more.set(term, weight);
  }
  return new Map([...own, ...more]);
}
