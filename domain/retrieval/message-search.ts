/**
 * The request to the indexes in a search over messages: the readers with their scopes, and the operators of the query.
 */
import type { ChainReader, Reader } from '../governance/visibility.ts';
import type { QueryOperatorAlternative } from './statement-search.ts';

/**
 * Why a passage has no vector: the embedder owes it one (`AWAITED`), or its text means nothing to the embedder
 * (`NO_VECTOR`).
 */
export const AWAITED = 'awaited';
export const NO_VECTOR = 'none';
export type VectorAbsence = typeof AWAITED | typeof NO_VECTOR;

/**
 * Passages that are the beginning of a message. Searches ask for these and for later ones (`LATER_PART`) in lists of their
 * own, so that a message of thousands of passages takes at most so many of the places that a list has for passages.
 */
export const MOST_OF_BEGINNING = 16;
export const LATER_PART = 'later';

/** A reader of messages in these scopes. A peer reads messages that it was there for; null reads all of them. */
export interface MessageReader {
  readonly peerId: string | null;
  /** The principals that the peer is besides itself, which audiences of messages may name. */
  readonly memberships?: readonly string[];
  readonly scopeIds: readonly string[];
}

/** What the readers of a message that an index lists must hold one of. */
export function readerNames(
  peerId: string,
  { memberships = [] }: MessageReader,
): readonly string[] {
  return [peerId, ...memberships];
}

export interface MessageSearch {
  readonly accountId: string;
  /** Nobody finds nothing. */
  readonly readers: readonly MessageReader[];
  /** A message must satisfy one of them; null when nothing binds. */
  readonly queryOperators: readonly QueryOperatorAlternative[] | null;
}

function readsIn(reader: Reader, scopeIds: readonly string[]): MessageReader[] {
  if (reader.posture === 'public_only' || scopeIds.length === 0) return [];
  return reader.posture === 'peer'
    ? [{ peerId: reader.peerId, memberships: reader.memberships ?? [], scopeIds }]
    : [{ peerId: null, scopeIds }];
}

/**
 * The readers of messages with their scopes of a chain. Messages have no public form, so for a reader of public
 * statements the list is empty.
 */
export function messageReaders(reader: ChainReader, scopeIds: readonly string[]): MessageReader[] {
  if (reader.posture !== 'named') return readsIn(reader, scopeIds);
  const named = new Set(reader.scopeIds);
  return [
    ...readsIn(
      reader.named,
      scopeIds.filter((id) => named.has(id)),
    ),
    ...readsIn(
      reader.otherwise,
      scopeIds.filter((id) => !named.has(id)),
    ),
  ];
}
