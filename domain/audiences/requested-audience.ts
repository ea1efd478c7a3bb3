/** An audience as a request names it, with circles found, and the one text that equal audiences have. */
import type { Role } from '../identity/roles.ts';

/** The names of a request, each once. */
export interface RequestedAudience {
  /** Keys of peers; an unknown one becomes a peer. */
  readonly peers: readonly string[];
  /** The lowest of the roles that it names, which covers the others; null without a role. */
  readonly role: Role | null;
  /** Names of circles of the chain of the scope. */
  readonly circles: readonly string[];
}

/** The same with the circles that it means. */
export interface FoundAudience extends Omit<RequestedAudience, 'circles'> {
  readonly circleIds: readonly string[];
}

/** Peers, and circles, that one audience names at most. */
export const MOST_NAMED = 20;

/** The same text for equal audiences of an account, in whatever order they name whom. */
export function audienceText(accountId: string, { circleIds, peers, role }: FoundAudience): string {
  return JSON.stringify([accountId, peers.toSorted(), circleIds.toSorted(), role]);
}
