/**
 * Who may find raw messages, as data for the search indexes: they render it as a filter that lets through at least what
 * the SQL form (`renderMessageReadable`) allows.
 */
import type { ChainReader, Reader } from './visibility.ts';

/** Scopes, and the peer who must have been there when a message was recorded; null for all messages. */
export interface MessageAudience {
  readonly scopeIds: readonly string[];
  readonly peerId: string | null;
}

function audience(scopeIds: readonly string[], reader: Reader): readonly MessageAudience[] {
  if (scopeIds.length === 0) return [];
  switch (reader.posture) {
    case 'internal':
      return [{ scopeIds, peerId: null }];
    case 'public_only':
      return [];
    case 'peer':
      return [{ scopeIds, peerId: reader.peerId }];
  }
}

/** A message may be read when one of the audiences holds; with none of them no message may be. */
export function messageAudiences(
  scopeIds: readonly string[],
  reader: ChainReader,
): readonly MessageAudience[] {
  if (reader.posture !== 'named') return audience(scopeIds, reader);
  const named = new Set(reader.scopeIds);
  return [
    ...audience(
      scopeIds.filter((id) => named.has(id)),
      reader.named,
    ),
    ...audience(
      scopeIds.filter((id) => !named.has(id)),
      reader.otherwise,
    ),
  ];
}
