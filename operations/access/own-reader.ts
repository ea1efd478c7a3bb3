/** The reader of a caller that names no other reader: its own peer, or public statements only if it has no peer. */
import type { ScopedReader } from '../../domain/governance/scoped-reader.ts';
import type { Reader } from '../../domain/governance/visibility.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { openingsOf } from '../../domain/identity/openings.ts';

/** `memberships`: what it is besides the peer, as far as the read asks indexes and lists for it. */
export const peerReader = (peerId: string, memberships: readonly string[] = []): Reader => ({
  posture: 'peer',
  peerId,
  memberships,
});

export function ownReader({ peerId }: Caller): Reader {
  return peerId === null ? { posture: 'public_only' } : peerReader(peerId);
}

/** The same with the scopes in which the caller may read messages, for a read that names no scope. */
export function ownScopedReader(caller: Caller): ScopedReader {
  const openings = openingsOf(caller.grants, caller.pinPath);
  return { reader: ownReader(caller), scopeIds: [], openings };
}
