/**
 * The speaker of an observation. A machine credential may relay for any speaker of its account; a person who signed
 * in always speaks as itself. Relaying gives no authority: rights stay those of the credential.
 */
import type { Caller } from '../identity/caller.ts';
import { isEvidenceRole } from './roles.ts';

/** The speaker that an observation names. */
export interface NamedSpeaker {
  readonly peerKey: string | null;
  readonly peerName: string | null;
  readonly role: string;
}

export type Speaker =
  /** The caller's own peer, who joins the session by posting. */
  | { readonly as: 'self' }
  /** A peer that the relay vouches for; `name` and `kind` are used only if the peer is new. */
  | {
      readonly as: 'named';
      readonly key: string;
      readonly name: string;
      readonly kind: 'human' | 'agent';
    };

/** The speaker, or null when a caller without a peer names none. */
export function attribute(caller: Caller, named: NamedSpeaker): Speaker | null {
  const own: Speaker | null = caller.peerId === null ? null : { as: 'self' };
  if (caller.kind === 'human') return own;
  const { peerKey, peerName, role } = named;
  if (peerKey === null || (own !== null && peerKey === caller.peerKey)) return own;
  return {
    as: 'named',
    key: peerKey,
    name: peerName ?? peerKey,
    kind: isEvidenceRole(role) ? 'human' : 'agent',
  };
}
