/** The caller: the account, peer and grants that a credential stands for, resolved once per request. */
import type { SecretPolicy } from './secret-policy.ts';
import { isWithin, parseScopePath, ROOT_PATH, scopeChain, type ScopePath } from '../scopes/path.ts';
import { roleAt, roleCovers, type Grant, type Role } from './roles.ts';

export interface Caller {
  readonly accountId: string;
  readonly credentialId: string;
  /** `machine` may relay for others; `human` always speaks as itself. */
  readonly kind: 'machine' | 'human';
  /** Null for a machine credential without a peer. */
  readonly peerId: string | null;
  readonly peerKey: string | null;
  /** Narrows the paths the credential may name to this scope and its descendants. */
  readonly pinPath: ScopePath | null;
  readonly grants: readonly Grant[];
  /** The account's policy. It stands here so that ingest needs no further query. */
  readonly secretPolicy: SecretPolicy;
  /**
   * Set for an ended credential: the erasure that it asked for. It may read the state of this erasure and nothing else.
   */
  readonly erasureId?: string;
}

/** The caller's role at `path`. A pin does not change it: see `mayName`. */
export function callerRoleAt(caller: Caller, path: ScopePath): Role | null {
  return roleAt(caller.grants, path);
}

/** Whether the caller's role at the path of a stored scope covers `needed`; a malformed path gives no role. */
export function holdsRoleAt(caller: Caller, path: string, needed: Role): boolean {
  const parsed = parseScopePath(path);
  return parsed !== null && roleCovers(callerRoleAt(caller, parsed), needed);
}

/** Whether the caller's pin lets it name `path` in a request. */
export function mayName(caller: Caller, path: ScopePath): boolean {
  return caller.pinPath === null || isWithin(path, caller.pinPath);
}

/** Whether the caller is curator or administrator of the scope at the path, which its pin lets it name. */
export function curates(caller: Caller, path: string): boolean {
  const parsed = parseScopePath(path);
  return parsed !== null && mayName(caller, parsed) && holdsRoleAt(caller, parsed, 'curator');
}

/** Writing needs member at the path, and a path the pin allows. */
export function mayWriteAt(caller: Caller, path: ScopePath): boolean {
  return mayName(caller, path) && roleCovers(callerRoleAt(caller, path), 'member');
}

/**
 * Whether a grant makes the caller a curator of some scope. This is a first check, before the path is known: a deny may
 * still apply at the path.
 */
export function isCuratorSomewhere({ grants }: Caller): boolean {
  return grants.some(({ effect, role }) => effect === 'allow' && roleCovers(role, 'curator'));
}

/**
 * Whether the caller has a peer and may write somewhere: by a grant that no deny overrides everywhere. This is a first
 * check, before the path is known: the caller may still not write at the path.
 */
export function isMemberSomewhere({ grants, peerId }: Caller): boolean {
  if (peerId === null) return false;
  const denied = grants.filter(({ effect }) => effect === 'deny');
  const deniedHere = new Set(denied.map(({ scopePath }) => scopePath));
  const deniedBelow = new Set(
    denied.filter(({ propagate }) => propagate).map(({ scopePath }) => scopePath),
  );
  return grants.some(
    ({ effect, propagate, role, scopePath }) =>
      effect === 'allow' &&
      roleCovers(role, 'member') &&
      !scopeChain(scopePath).some((path) => deniedBelow.has(path)) &&
      // A deny for this scope alone does not apply to its descendants, so a propagating grant still does.
      (propagate || !deniedHere.has(scopePath)),
  );
}

/** The paths of the chain of `path` that the grants allow to read, outermost first. */
export function openChain(grants: readonly Grant[], path: ScopePath): readonly ScopePath[] {
  return scopeChain(path).filter((step) => roleCovers(roleAt(grants, step), 'reader'));
}

/**
 * The paths of the chain of `path` that the caller may read, outermost first. Empty when the pin forbids
 * naming `path`. Inherited knowledge of ancestors is part of the chain whatever the pin.
 */
export function readableChain(caller: Caller, path: ScopePath): readonly ScopePath[] {
  return mayName(caller, path) ? openChain(caller.grants, path) : [];
}

/** Whether the caller is an effective account-admin at the path. Operator routes need one at the root. */
export function isAccountAdmin(caller: Caller, path = ROOT_PATH): boolean {
  return mayName(caller, path) && callerRoleAt(caller, path) === 'account_admin';
}

/**
 * Whether the caller may read in another peer's name at `path`: a machine credential always, a person only as curator
 * or account-admin of the scope.
 */
export function mayNameReader(caller: Caller, path: ScopePath): boolean {
  return caller.kind === 'machine' || roleCovers(callerRoleAt(caller, path), 'curator');
}
