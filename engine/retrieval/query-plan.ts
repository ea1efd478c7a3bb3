/** A query, parsed once: the words that rank, and the operators that bind. */
import {
  binds,
  freeWords,
  rankingText,
  type ParsedQuery,
} from '../../domain/query/parsed-query.ts';
import { namesInQuery, type NameCandidate } from '../../domain/entities/candidates.ts';
import { LONGEST_QUERY_BYTES } from '../../domain/query/bounds.ts';
import { operatorCheck } from '../../domain/query/match-operators.ts';
import { parseQuery } from '../../domain/query/parse-query.ts';
import { queryVector, type SparseVector } from '../../domain/ranking/sparse.ts';
import { termId } from '../../domain/ranking/term-id.ts';
import type { Frequencies } from '../../stores/postgres/frequencies.store.ts';
import { analyze } from '../text/analyze.ts';

/** Most distinct terms that rank by words; the rest of a longer query ranks by meaning alone. */
const MAX_TERMS = 256;

export interface QueryPlan {
  readonly parsed: ParsedQuery;
  /** Phrases or exclusions bind the candidates. */
  readonly hasOperators: boolean;
  /** Words that rank, as one text; blank when the query asks for nothing in particular. */
  readonly text: string;
  /** The same for an embedder, which is shown no secret. */
  readonly meaning: string;
  /** What may be a name in it. */
  readonly names: readonly NameCandidate[];
  /** Its terms, with how often each is asked for. */
  readonly terms: ReadonlyMap<string, number>;
  /** Whether a text satisfies the query's operators. */
  readonly accepts: (text: string) => boolean;
}

/**
 * Reads the query. Never fails: every text has a reading. `masked` is the query without its secrets. It is masked
 * before it is read, because secrets cannot be recognised in a folded query any more.
 */
export function planQuery(query: string, masked: string): QueryPlan {
  const parsed = parseQuery(query);
  const text = rankingText(parsed);
  return {
    parsed,
    hasOperators: parsed.branches.some(binds),
    text,
    // Folding turns some characters into eighteen, so the text is cut to the most that a caller can send.
    meaning: (masked === query ? text : rankingText(parseQuery(masked)))
      .slice(0, LONGEST_QUERY_BYTES)
      .toWellFormed(),
    names: namesInQuery(query, text),
    terms: new Map([...analyze(text).terms].slice(0, MAX_TERMS)),
    accepts: operatorCheck(parsed, (part) => analyze(part).terms.keys()),
  };
}

/** The ids under which the account's units hold the query's terms. */
export function termIdsOf(plan: QueryPlan, accountId: string): number[] {
  return [...plan.terms.keys()].map((term) => termId(accountId, term));
}

/** As `termIdsOf`, for the free words of the query alone, without words that stand in phrases only. */
export function freeTermIdsOf({ parsed }: QueryPlan, accountId: string): ReadonlySet<number> {
  const { terms } = analyze(freeWords(parsed).join(' '));
  return new Set([...terms.keys()].map((term) => termId(accountId, term)));
}

/** The query's sparse vector, each term weighed by how rare it is in the scopes searched. */
export function weighTerms(
  plan: QueryPlan,
  accountId: string,
  frequencies: Frequencies,
): SparseVector {
  const byTerm = new Map(
    [...plan.terms.keys()].map(
      (term) => [term, frequencies.byTerm.get(termId(accountId, term)) ?? 0] as const,
    ),
  );
  return queryVector(accountId, plan.terms, frequencies.units, byTerm);
}
