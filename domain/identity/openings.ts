/**
 * Where in the tree of scopes a caller may read, or holds another role, as a few places from which the tree is walked. Which
 * scopes exist plays no part: a walk from these places meets scopes of that role only, and one scope for each deny at most
 * beside them.
 */
import { roleAt, roleCovers, type Grant, type Role } from './roles.ts';
import { isWithin, ROOT_PATH, scopeChain, type ScopePath } from '../scopes/path.ts';

/** A place from which everything below is open, or one scope alone. */
export interface Opening {
  readonly path: ScopePath;
  readonly reachesBelow: boolean;
}

export interface Openings {
  /** In the order of the tree; none lies below another one that reaches it. */
  readonly tops: readonly Opening[];
  /** Scopes that are left out with all below them. */
  readonly closedBelow: readonly ScopePath[];
  /** Scopes that are left out alone. */
  readonly closedHere: readonly ScopePath[];
}

/** Compares paths in the order of the tree: a scope comes before those below it, others by their names. */
export function inTreeOrder(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')];
  if (one === '/' || other === '/') return one.length - other.length;
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const [x = '', y = ''] = [a[at], b[at]];
    if (x !== y) return x < y ? -1 : 1;
  }
  return a.length - b.length;
}

function pathsOf(grants: readonly Grant[], effect: Grant['effect'], propagate: boolean) {
  return grants
    .filter((grant) => grant.effect === effect && grant.propagate === propagate)
    .map(({ scopePath }) => scopePath);
}

/** What the grants open at `within` and below it: roles that cover `needed` open, and a deny closes whatever opens it. */
export function openingsWithin(
  grants: readonly Grant[],
  within: ScopePath,
  needed: Role = 'reader',
): Openings {
  const closedBelow = pathsOf(grants, 'deny', true);
  const closedHere = pathsOf(grants, 'deny', false);
  const isClosed = (path: ScopePath) => closedBelow.some((closed) => isWithin(path, closed));
  const opening = grants.filter(({ role }) => roleCovers(role, needed));
  const wide = pathsOf(opening, 'allow', true).map((path) =>
    isWithin(within, path) ? within : path,
  );
  const single = pathsOf(opening, 'allow', false);
  const all = [
    ...wide.map((path): Opening => ({ path, reachesBelow: true })),
    ...single.map((path): Opening => ({ path, reachesBelow: false })),
  ].filter(({ path }) => isWithin(path, within) && !isClosed(path));
  const tops: Opening[] = [];
  // What reaches below comes first of two at the same path.
  const ordered = all.toSorted(
    (a, b) => inTreeOrder(a.path, b.path) || Number(b.reachesBelow) - Number(a.reachesBelow),
  );
  // In the order of the tree the last one that reaches below covers all that lies below it.
  let covering: Opening | null = null;
  for (const next of ordered) {
    if (covering !== null && isWithin(next.path, covering.path)) continue;
    if (tops.at(-1)?.path === next.path) continue;
    tops.push(next);
    if (next.reachesBelow) covering = next;
  }
  return { tops, closedBelow, closedHere };
}

/**
 * All that the caller may read somewhere: what lies within its pin, and what of the scopes above the pin it may read,
 * since those are part of every chain that it may name.
 */
export function openingsOf(grants: readonly Grant[], pinPath: ScopePath | null): Openings {
  if (pinPath === null) return openingsWithin(grants, ROOT_PATH);
  const within = openingsWithin(grants, pinPath);
  const above = scopeChain(pinPath)
    .filter((path) => path !== pinPath && roleCovers(roleAt(grants, path), 'reader'))
    .map((path): Opening => ({ path, reachesBelow: false }));
  return { ...within, tops: [...above, ...within.tops] };
}

/** Whether the openings leave out no scope that there is or may come to be. */
export function areEverything({ closedBelow, closedHere, tops }: Openings): boolean {
  return (
    closedBelow.length + closedHere.length === 0 &&
    tops.some(({ path, reachesBelow }) => reachesBelow && path === ROOT_PATH)
  );
}

/** The tops from the one on that covers `path`, which itself is in none of the others; null when none covers it. */
export function topsFrom(tops: readonly Opening[], path: ScopePath): readonly Opening[] | null {
  const at = tops.findIndex((top) =>
    top.reachesBelow ? isWithin(path, top.path) : path === top.path,
  );
  return at === -1 ? null : tops.slice(at);
}
