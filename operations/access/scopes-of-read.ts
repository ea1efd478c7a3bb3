/**
 * The scopes that a read reaches. A read of several paths reaches exactly what reads of each path alone would reach, and
 * sends Postgres as many statements as a read of one. Nothing here differs between a scope that is missing and one that
 * is hidden.
 */
import { readableChain, type Caller } from '../../domain/identity/caller.ts';
import { readableLinkedToAny } from '../../domain/identity/links.ts';
import {
  isOverridable,
  nearestOverride,
  type ProfileOverride,
} from '../../domain/retrieval/profile-override.ts';
import type { ProfileName } from '../../domain/retrieval/strategies.ts';
import type { ScopePath } from '../../domain/scopes/path.ts';
import type { ScopeRow } from '../../stores/postgres/scopes/scopes.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';

export interface AskedScopes {
  readonly scopePath: ScopePath;
  /** Further paths that are read in the same way. None of them decides on the values of the profile. */
  readonly otherPaths?: readonly ScopePath[];
  /** Whether linked scopes are read too: those that the caller could name and read by itself. */
  readonly crossLinks?: boolean;
  /** The retrieval profile whose override is wanted. */
  readonly profile?: ProfileName;
}

export interface ReadScopes {
  /** Existing scopes of the chains that the caller may read, each once, outermost first. */
  readonly chain: readonly ScopeRow[];
  /** Of each path the nearest one of them; null where there is none. */
  readonly nearest: readonly (ScopeRow | null)[];
  readonly linked: readonly ScopeRow[];
  /** What is set for the profile along the chain of the first path, nearest to its end. */
  readonly profileOverride: ProfileOverride | null;
}

/** All paths of the request, the first one first. */
export const pathsOf = ({ otherPaths = [], scopePath }: AskedScopes): readonly ScopePath[] => [
  scopePath,
  ...otherPaths,
];

const NOT_OVERRIDDEN: ReadonlyMap<string, ProfileOverride | null> = new Map();

/** The scopes at the paths that exist, outermost first, and what is set for the profile at each of them. */
async function scopesAt(
  { retrievalProfiles, scopes }: Stores,
  paths: readonly ScopePath[],
  profile: ProfileName | undefined,
) {
  if (profile === undefined || !isOverridable(profile)) {
    return { found: await scopes.find(paths), account: null, overrides: NOT_OVERRIDDEN };
  }
  return retrievalProfiles.ofScopes(paths, profile);
}

/** Reads which scopes the caller reaches through the paths. */
export async function scopesOfRead(
  stores: Stores,
  caller: Caller,
  asked: AskedScopes,
): Promise<ReadScopes> {
  const steps = pathsOf(asked).map((path) => readableChain(caller, path));
  const united = [...new Set(steps.flat())];
  const { account, found, overrides } = await scopesAt(stores, united, asked.profile);
  const byPath = new Map<string, ScopeRow>(found.map((scope) => [scope.path, scope]));
  const chains = steps.map((each) => each.flatMap((path) => byPath.get(path) ?? []));
  const ids = chains.map((chain) => chain.map(({ id }) => id));
  const linked =
    asked.crossLinks === true
      ? readableLinkedToAny(
          caller,
          ids,
          await stores.scopeLinks.ofScopes(found.map(({ id }) => id)),
        )
      : [];
  const [first = []] = chains;
  const alongFirst = [account, ...first.map(({ id }) => overrides.get(id) ?? null)];
  return {
    chain: found,
    nearest: chains.map((chain) => chain.at(-1) ?? null),
    linked,
    profileOverride: nearestOverride(alongFirst),
  };
}
