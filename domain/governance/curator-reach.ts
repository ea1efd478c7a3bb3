/** A person who decides, and the scopes whose items and sources it may see. */
import type { Openings } from '../identity/openings.ts';

export interface CuratorReach {
  /** Null: a person without a peer, whom no audience names. */
  readonly peerId: string | null;
  /** The scopes that it curates. */
  readonly openings: Openings;
}
