/** The chunks that a search may find, as a Meilisearch filter: the same hull as in Qdrant. */
import { CHUNK_ROLE } from '../../domain/documents/chunk.ts';
import type { ChunkSearch } from '../../domain/retrieval/chunk-search.ts';
import { MANY } from '../../domain/retrieval/listed.ts';
import { readerNames, type MessageReader } from '../../domain/retrieval/message-search.ts';
import { isAnyOf, joined, NO_DOCUMENT, quoted } from './filter.ts';

/** Records written before they held a role pass: Postgres knows which messages are chunks. */
const MAY_BE_CHUNK = `role = ${quoted(CHUNK_ROLE)} OR role NOT EXISTS`;

function mayRead(reader: MessageReader): string {
  const { peerId, scopeIds } = reader;
  const inScopes = isAnyOf('now_scope', scopeIds);
  if (peerId === null) return inScopes;
  return `${inScopes} AND ${isAnyOf('readers', [...readerNames(peerId, reader), MANY])}`;
}

/** The chunks of a search, without its operators. */
export function chunkFilter({ accountId, readers, sessionId }: ChunkSearch): string {
  const parts = [
    `account = ${quoted(accountId)}`,
    joined(readers.map(mayRead), 'OR', NO_DOCUMENT),
    sessionId === null ? MAY_BE_CHUNK : `session = ${quoted(sessionId)}`,
  ];
  return joined(parts, 'AND', NO_DOCUMENT);
}
