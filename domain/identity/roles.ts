/**
 * The role at a path: a pure function of the caller's grants and the path, whether or not the scope exists yet.
 */
import { isWithin, type ScopePath } from '../scopes/path.ts';

export const ROLES = ['reader', 'member', 'curator', 'account_admin'] as const;
export type Role = (typeof ROLES)[number];

/** The spelling of the roles at the doors. */
export const ROLE_WORDS = ['reader', 'member', 'curator', 'account-admin'] as const;
export type RoleWord = (typeof ROLE_WORDS)[number];

export function roleWord(role: Role): RoleWord {
  return role === 'account_admin' ? 'account-admin' : role;
}

/** The role of a word, in the doors' spelling or the stored one. Null for any other text. */
export function parseRole(word: string): Role | null {
  return ROLES.find((role) => role === word || roleWord(role) === word) ?? null;
}

export interface Grant {
  readonly scopePath: ScopePath;
  readonly role: Role;
  readonly effect: 'allow' | 'deny';
  /** Whether the grant reaches the descendants of its scope. */
  readonly propagate: boolean;
}

const RANK: Readonly<Record<Role, number>> = { reader: 1, member: 2, curator: 3, account_admin: 4 };

/** Whether `role` covers `needed`. */
export function roleCovers(role: Role | null, needed: Role): boolean {
  return role !== null && RANK[role] >= RANK[needed];
}

function applies(grant: Grant, path: ScopePath): boolean {
  return grant.propagate ? isWithin(path, grant.scopePath) : path === grant.scopePath;
}

/**
 * The strongest role that `grants` give at `path`, or null. Any applicable deny wins over every allow,
 * whatever roles the two name.
 */
export function roleAt(grants: readonly Grant[], path: ScopePath): Role | null {
  const applicable = grants.filter((grant) => applies(grant, path));
  if (applicable.some((grant) => grant.effect === 'deny')) return null;
  return applicable.reduce<Role | null>(
    (best, grant) => (best !== null && RANK[best] >= RANK[grant.role] ? best : grant.role),
    null,
  );
}
