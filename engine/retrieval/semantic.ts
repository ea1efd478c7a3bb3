/** Ranking by meaning: the query's vector against the statements' vectors of the same space. */
import { createHash } from 'node:crypto';
import { roundScore } from '../../domain/ranking/sparse.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import { hasDirection } from '../projections/dense.ts';
import type { Embed } from '../projections/ports.ts';
import type { SearchDependencies } from './ports.ts';

const CACHED_QUERIES = 1000;

export type EmbedQuery = (
  accountId: string,
  text: string,
  traceId: string,
  signal: AbortSignal,
) => Promise<readonly number[]>;

/** Embeds queries, remembering the last thousand by account and a hash of the text. */
export function createQueryEmbedder(embed: Embed): EmbedQuery {
  const known = new Map<string, readonly number[]>();
  return async (accountId, text, traceId, signal) => {
    const key = createHash('sha256').update(`${accountId}\n${text}`).digest('base64');
    const remembered = known.get(key);
    if (remembered !== undefined) {
      known.delete(key);
      known.set(key, remembered);
      return remembered;
    }
    const call = { accountId, runId: null, anchorMessageIds: [], traceId, signal };
    const { vectors } = await embed([text], call);
    const [vector] = vectors;
    if (vector === undefined) throw new RangeError('an embedder answered no vector for a text');
    known.set(key, vector);
    const oldest = known.size > CACHED_QUERIES ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return vector;
  };
}

/** Cosine similarity by statement, nearest first, as many as `limit`. */
export async function searchMeaning(
  { points }: Pick<SearchDependencies, 'points'>,
  vector: readonly number[],
  search: StatementSearch,
  limit: number,
): Promise<ReadonlyMap<string, number>> {
  if (!hasDirection(vector)) return new Map();
  const hits = await points.searchDense(vector, search, limit);
  return new Map(hits.map((hit) => [hit.sourceId, roundScore(hit.score)]));
}
