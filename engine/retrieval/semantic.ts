/** Ranking by meaning: the query's vector against the statements' vectors of the same space. */
import { roundScore } from '../../domain/ranking/sparse.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import { callAside } from '../models/extraction.ts';
import { hasDirection } from '../indexes/dense.ts';
import type { Embed } from '../models/embedding.ts';
import type { SearchDependencies } from './dependencies.ts';

export type EmbedQuery = (
  accountId: string,
  text: string,
  traceId: string,
  signal: AbortSignal,
) => Promise<readonly number[]>;

/** Embeds one query at a time. */
export function createQueryEmbedder(embed: Embed): EmbedQuery {
  return async (accountId, text, traceId, signal) => {
    const { vectors } = await embed([text], callAside({ accountId, traceId, signal }));
    return vectors[0] ?? [];
  };
}

/** Cosine similarity by statement, nearest first, as many as `limit`. */
export async function searchMeaning(
  { points }: Pick<SearchDependencies, 'points'>,
  vector: readonly number[],
  search: StatementSearch,
  limit: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  if (!hasDirection(vector)) return new Map();
  const hits = await points.searchDense(vector, search, limit, signal);
  return new Map(hits.map((hit) => [hit.sourceId, roundScore(hit.score)]));
}
