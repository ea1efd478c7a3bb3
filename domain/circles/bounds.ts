/**
 * Bounds of circles. A reader may be a member of at most 256 circles along one chain of scopes, because every read looks
 * at them. The bound is shared out over the scopes of a chain: a change looks at its own scope alone, so its answer tells
 * a curator nothing about circles above or below that others keep.
 */
import { scopeChain, type ScopePath } from '../scopes/path.ts';

/** Circles in which one peer may be a member, along one chain of scopes. */
export const MOST_CIRCLES_OF_PEER_ALONG_CHAIN = 256;
export const MOST_CIRCLES_OF_SCOPE = 1_000;
export const MOST_MEMBERS_OF_CIRCLE = 1_000;

/** The same of one scope, by its depth; the root has depth 0. Few accounts nest deeper than a few segments. */
const MOST_CIRCLES_OF_PEER_TO_DEPTH_2 = 64;
const MOST_CIRCLES_OF_PEER_TO_DEPTH_6 = 8;
const MOST_CIRCLES_OF_PEER_BELOW_DEPTH_6 = 1;

/** Circles of the scope at the path in which one peer may be a member. */
export function mostCirclesOfPeerAt(path: ScopePath): number {
  const depth = scopeChain(path).length - 1;
  if (depth <= 2) return MOST_CIRCLES_OF_PEER_TO_DEPTH_2;
  return depth <= 6 ? MOST_CIRCLES_OF_PEER_TO_DEPTH_6 : MOST_CIRCLES_OF_PEER_BELOW_DEPTH_6;
}
