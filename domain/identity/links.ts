/**
 * Links between scopes. A link has no direction and reaches one scope: not what lies below or above it, and not what it
 * is linked to itself.
 */
import { callerRoleAt, mayName, type Caller } from './caller.ts';
import { roleCovers } from './roles.ts';
import { parseScopePath } from '../scopes/path.ts';

/** Links that one scope may have. */
export const MOST_LINKS_OF_SCOPE = 32;
/**
 * Linked scopes that a read takes in beside each of its chains, which have 33 scopes at most: so a read looks in no more
 * than twice as many scopes as it would without links, and in every scope that a path itself is linked to.
 */
export const MOST_LINKED_SCOPES = 32;

export interface LinkedScope {
  /** The end of the link that is in the chain. */
  readonly chain_scope_id: string;
  /** The other end. */
  readonly id: string;
  readonly path: string;
}

/**
 * The linked scopes that a read takes in: those that the caller could name and read by itself, so that a link opens
 * nothing. Links of the scopes nearest to the end of the chain come first. What the caller may not read is left out
 * before any is counted, so that it takes no room.
 */
export function readableLinked(
  caller: Caller,
  chainIds: readonly string[],
  links: readonly LinkedScope[],
): readonly LinkedScope[] {
  const depth = new Map(chainIds.map((id, index) => [id, index]));
  const depthOf = (link: LinkedScope): number => depth.get(link.chain_scope_id) ?? -1;
  const seen = new Set(chainIds);
  return links
    .filter(({ chain_scope_id: near, path }) => depth.has(near) && mayRead(caller, path))
    .toSorted((a, b) => depthOf(b) - depthOf(a) || (a.path < b.path ? -1 : 1))
    .filter(({ id }) => {
      const isNew = !seen.has(id);
      seen.add(id);
      return isNew;
    })
    .slice(0, MOST_LINKED_SCOPES);
}

/**
 * The linked scopes that a read of several chains takes in: those that a read of each chain alone would take in, each
 * once, without those that stand in one of the chains.
 */
export function readableLinkedToAny(
  caller: Caller,
  chains: readonly (readonly string[])[],
  links: readonly LinkedScope[],
): readonly LinkedScope[] {
  const inChains = new Set(chains.flat());
  const linked = chains.flatMap((chainIds) => readableLinked(caller, chainIds, links));
  const each = new Map(linked.map((scope) => [scope.id, scope]));
  return [...each.values()].filter(({ id }) => !inChains.has(id));
}

function mayRead(caller: Caller, path: string): boolean {
  const parsed = parseScopePath(path);
  return (
    parsed !== null && mayName(caller, parsed) && roleCovers(callerRoleAt(caller, parsed), 'reader')
  );
}
