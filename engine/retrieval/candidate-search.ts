/** The request of a strategy to Qdrant: statements and chunks, as far as the filters of the search allow each. */
import {
  asksForStatements,
  MOST_CHUNKS,
  type ChunkSearch,
} from '../../domain/retrieval/chunk-search.ts';
import type { StatementSearch } from '../../domain/retrieval/statement-search.ts';
import type { CandidateSearch } from '../../stores/qdrant/point-reader.ts';

/** Both kinds, each with `limit` hits of its own, so that no number of chunks displaces a statement. */
export function candidateSearch(
  search: StatementSearch,
  chunks: ChunkSearch | null,
  limit: number,
): CandidateSearch {
  return {
    statements: asksForStatements(search.sourceFilters) ? { search, limit } : null,
    chunks: chunks === null ? null : { search: chunks, limit: Math.min(limit, MOST_CHUNKS) },
  };
}
