/** Ranking by meaning: the query's vector against the vectors of statements and chunks, of the same space. */
import type { ChainReader } from '../../domain/governance/visibility.ts';
import { roundScore } from '../../domain/ranking/sparse.ts';
import type { CandidateSearch, Hit } from '../../stores/qdrant/point-reader.ts';
import { callAside } from '../models/extraction.ts';
import { hasDirection } from '../indexes/dense.ts';
import type { Embed } from '../models/embedding.ts';
import type { SearchDependencies } from './dependencies.ts';
import { NONE_FOUND, type Found } from './lexical.ts';

export type EmbedQuery = (
  accountId: string,
  text: string,
  traceId: string,
  signal: AbortSignal,
  /** The reader whose cached vectors the call may use. */
  asker: string,
) => Promise<readonly number[]>;

/** The reader, as whom a query is embedded. */
export function askerOf(reader: ChainReader): string {
  return JSON.stringify(reader);
}

/** Embeds one query at a time. */
export function createQueryEmbedder(embed: Embed): EmbedQuery {
  return async (accountId, text, traceId, signal, asker) => {
    const asking = { accountId, traceId, signal, asker, purpose: 'query' } as const;
    const { vectors } = await embed([text], callAside(asking));
    return vectors[0] ?? [];
  };
}

/** Cosine similarity by id, of statements and of chunks, as many as the search asks for. */
export async function searchMeaning(
  { points }: Pick<SearchDependencies, 'points'>,
  vector: readonly number[],
  search: CandidateSearch,
  signal: AbortSignal,
): Promise<Found & { readonly chunks: Found }> {
  if (!hasDirection(vector)) return { ...NONE_FOUND, chunks: NONE_FOUND };
  const { statements, chunks } = await points.candidatesByMeaning(vector, search, signal);
  return {
    scored: roundedScores(statements),
    unscored: [],
    chunks: { scored: roundedScores(chunks), unscored: [] },
  };
}

function roundedScores(hits: readonly Hit[]): ReadonlyMap<string, number> {
  return new Map(hits.map((hit) => [hit.sourceId, roundScore(hit.score)]));
}
