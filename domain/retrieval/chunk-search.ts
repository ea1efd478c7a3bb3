/** What every index is asked for when chunks of documents are searched: the account, who reads, and what narrows. */
import type { ChainReader } from '../governance/visibility.ts';
import { messageReaders, type MessageReader } from './message-search.ts';
import type { SourceFilters } from './source-filters.ts';
import type { QueryOperatorAlternative } from './statement-search.ts';

export interface ChunkSearch {
  readonly accountId: string;
  /** Who reads where; nobody finds nothing. */
  readonly readers: readonly MessageReader[];
  /** The session of the one document whose chunks are asked for; null for those of every document. */
  readonly sessionId: string | null;
  /** ISO 8601: only chunks recorded up to this time; null for now. */
  readonly asOf: string | null;
  /** A chunk must satisfy one of them; null when nothing binds. */
  readonly queryOperators: readonly QueryOperatorAlternative[] | null;
}

/** The most chunks that one strategy takes; more of their texts would be much to read and to check. */
export const MOST_CHUNKS = 200;

/** Whether a statement may pass the filters: a filter by document is for chunks alone. */
export function asksForStatements({ sourceDocumentId }: SourceFilters): boolean {
  return sourceDocumentId === null;
}

/** Whether a chunk may pass the filters: what tells of an extraction, or of its sources, is for statements alone. */
export function asksForChunks(filters: SourceFilters): boolean {
  const { minimumCorroboration, model, pipelineVersion, provider, sourceMessageId } = filters;
  const ofStatements = [minimumCorroboration, model, pipelineVersion, provider, sourceMessageId];
  return ofStatements.every((filter) => filter === null);
}

/** The search for chunks, or null where none may be found. It has no operators yet. */
export function chunkSearchFor({
  accountId,
  scopeIds,
  reader,
  sourceFilters,
  sessionId,
  asOf,
}: {
  readonly accountId: string;
  readonly scopeIds: readonly string[];
  readonly reader: ChainReader;
  readonly sourceFilters: SourceFilters;
  readonly sessionId: string | null;
  readonly asOf: string | null;
}): ChunkSearch | null {
  const readers = messageReaders(reader, scopeIds);
  if (readers.length === 0 || !asksForChunks(sourceFilters)) return null;
  return { accountId, readers, sessionId, asOf, queryOperators: null };
}
