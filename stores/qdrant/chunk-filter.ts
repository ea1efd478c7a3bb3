/** The chunks that a search may rank, as a Qdrant filter: a hull of who may read them by the SQL form. */
import { CHUNK_ROLE } from '../../domain/documents/chunk.ts';
import type { MessageAudience } from '../../domain/governance/message-audiences.ts';
import type { ChunkSearch } from '../../domain/retrieval/chunk-search.ts';
import { MANY } from '../../domain/retrieval/listed.ts';
import type { OperatorAlternative } from '../../domain/retrieval/statement-search.ts';
import { anyOf, matches, matchesAny, type PointFilter } from './filter.ts';

function mayRead({ scopeIds, peerId }: MessageAudience): PointFilter {
  return {
    must: [
      matchesAny('now_scope', scopeIds),
      ...(peerId === null ? [] : [matchesAny('readers', [peerId, MANY])]),
    ],
  };
}

/** By the id of the message: a chunk has a point for each of its passages. */
function alternative({ onlyIds, exceptIds }: OperatorAlternative): PointFilter {
  return {
    must: onlyIds === null ? [] : [matchesAny('source_id', onlyIds)],
    must_not: exceptIds.length === 0 ? [] : [matchesAny('source_id', exceptIds)],
  };
}

/** Passages of the chunks that a search may rank. */
export function chunkFilter({
  accountId,
  audiences,
  sessionId,
  operators,
}: ChunkSearch): PointFilter {
  return {
    must: [
      matches('account', accountId),
      matches('unit', 'message'),
      matches('role', CHUNK_ROLE),
      anyOf(audiences.map(mayRead)),
      ...(sessionId === null ? [] : [matches('session', sessionId)]),
      ...(operators === null ? [] : [anyOf(operators.map(alternative))]),
    ],
  };
}
