/** The chunks that a search may rank, as a Qdrant filter: a hull of who may read them by the SQL form. */
import { CHUNK_ROLE } from '../../domain/documents/chunk.ts';
import type { ChunkSearch } from '../../domain/retrieval/chunk-search.ts';
import { MANY } from '../../domain/retrieval/listed.ts';
import { readerNames, type MessageReader } from '../../domain/retrieval/message-search.ts';
import { anyOf, matches, matchesAny, type PointFilter } from './filter.ts';
import { messageAlternative } from './message-filter.ts';

function mayRead(reader: MessageReader): PointFilter {
  const { peerId, scopeIds } = reader;
  return {
    must: [
      matchesAny('now_scope', scopeIds),
      ...(peerId === null ? [] : [matchesAny('readers', [...readerNames(peerId, reader), MANY])]),
    ],
  };
}

/** Points of earlier releases do not say when their chunk was recorded: Postgres knows. */
function recordedBy(asOf: string): PointFilter {
  return anyOf([
    { key: 'recorded', range: { lte: Date.parse(asOf) } },
    { is_empty: { key: 'recorded' } },
  ]);
}

/** Passages of the chunks that a search may rank. */
export function chunkFilter({
  accountId,
  asOf,
  readers,
  sessionId,
  queryOperators,
}: ChunkSearch): PointFilter {
  return {
    must: [
      matches('account', accountId),
      matches('unit', 'message'),
      matches('role', CHUNK_ROLE),
      anyOf(readers.map(mayRead)),
      ...(sessionId === null ? [] : [matches('session', sessionId)]),
      ...(asOf === null ? [] : [recordedBy(asOf)]),
      ...(queryOperators === null ? [] : [anyOf(queryOperators.map(messageAlternative))]),
    ],
  };
}
