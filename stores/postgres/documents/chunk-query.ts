/** The query of chunks of documents, which searches read beside statements and by itself. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import type { ChainReader } from '../../../domain/governance/visibility.ts';
import { isNotErasing } from '../visibility/erasing.ts';
import { isInIndexes } from '../visibility/indexed.ts';

export const chunkRow = z.object({
  /** Its message. */
  id: z.string(),
  scope_id: z.string(),
  scope_path: z.string(),
  document_id: z.string(),
  document_version_id: z.string(),
  /** Its place in the version, from 0. */
  position: z.number(),
  recorded_at: z.string(),
  /** Null where it was not asked for. */
  text: z.string().nullable(),
});
export type ChunkRow = z.infer<typeof chunkRow>;

export interface ChunkRead {
  readonly scopeIds: readonly string[];
  readonly reader: ChainReader;
  /** Only chunks recorded up to this time (ISO 8601); null for all. */
  readonly asOf: string | null;
  /** Only chunks of this document; null for those of every document. */
  readonly documentId: string | null;
  readonly withText: boolean;
}

/**
 * Whether the reader may read the chunk `m`: `renderMessageReadable` without relays and participants. A document has
 * neither, because no request can name its session. Looking for participants would read every session of an agent that
 * took part in thousands.
 */
function isReadable(reader: ChainReader): FragmentSqlToken {
  switch (reader.posture) {
    case 'internal':
      return sql.fragment`true`;
    case 'public_only':
      return sql.fragment`false`;
    case 'peer':
      return sql.fragment`m.speaker_peer_id = ${reader.peerId}::uuid`;
    case 'named':
      return sql.fragment`(case when m.scope_id = any(${sql.array(reader.scopeIds, 'uuid')})
        then ${isReadable(reader.named)} else ${isReadable(reader.otherwise)} end)`;
  }
}

/** The query of those of the messages that are chunks the reader may read, in no order. */
export function renderChunks(
  accountId: string,
  ids: readonly string[],
  { asOf, documentId, reader, scopeIds, withText }: ChunkRead,
): FragmentSqlToken {
  const text = withText ? sql.fragment`m.content` : sql.fragment`null::text`;
  const recorded =
    asOf === null ? sql.fragment`true` : sql.fragment`m.recorded_at <= ${asOf}::timestamptz`;
  const ofDocument =
    documentId === null ? sql.fragment`true` : sql.fragment`v.document_id = ${documentId}::uuid`;
  return sql.fragment`
    select m.id, m.scope_id, scope.path as scope_path, v.document_id, m.document_version_id,
      m.chunk_index as position, m.recorded_at, ${text} as text
    from messages m
    join document_versions v on v.account_id = m.account_id and v.id = m.document_version_id
    join scopes scope on scope.account_id = m.account_id and scope.id = m.scope_id
    where m.account_id = ${accountId}::uuid and m.id = any(${sql.array(ids, 'uuid')})
      and m.scope_id = any(${sql.array(scopeIds, 'uuid')}) and ${isReadable(reader)}
      and ${isNotErasing(sql.fragment`m.account_id`, sql.fragment`m.speaker_peer_id`)}
      and ${isInIndexes('m')} and ${recorded} and ${ofDocument}`;
}
