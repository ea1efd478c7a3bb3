/**
 * Principals: whom an audience may name. A peer and a circle stand as their ids; a role stands as the scope of the
 * audience and the role, and means everybody with that role or a higher one there. An audience keeps the lowest of the
 * roles that it names, and a reader has all roles up to its own.
 */
import { ROLES, roleCovers, type Role } from '../identity/roles.ts';

/** The principal of everybody with that role, or a higher one, at the scope. */
export function rolePrincipal(scopeId: string, role: Role): string {
  return `${scopeId}/${role}`;
}

/** The principals that a reader with this role at the scope is by it. Null: without a role it is none. */
export function rolePrincipalsOf(scopeId: string, role: Role | null): readonly string[] {
  return ROLES.filter((each) => roleCovers(role, each)).map((each) => rolePrincipal(scopeId, each));
}

/** The role that covers all of these: naming members names curators too. Undefined without a role. */
export function lowestRole(roles: readonly Role[]): Role | undefined {
  return ROLES.find((role) => roles.includes(role));
}

/** The scope and the role of a principal; null for a peer or a circle. */
function roleOf(principal: string): { readonly scopeId: string; readonly role: Role } | null {
  const [scopeId = '', word] = principal.split('/');
  const role = ROLES.find((each) => each === word);
  return role === undefined ? null : { scopeId, role };
}

/** An audience with the principals that it names, each once. */
export interface NamedAudience {
  readonly id: string;
  readonly principals: readonly string[];
}

function names({ principals }: NamedAudience, principal: string): boolean {
  if (principals.includes(principal)) return true;
  const named = roleOf(principal);
  return (
    named !== null &&
    principals.some((each) => {
      const wider = roleOf(each);
      return wider?.scopeId === named.scopeId && roleCovers(named.role, wider.role);
    })
  );
}

/**
 * Whether everybody whom the inner audience names is named by the outer one, whoever joins or leaves a circle. No audience
 * (null) contains every one and is contained in none.
 */
export function containsAudience(
  outer: NamedAudience | null,
  inner: NamedAudience | null,
): boolean {
  if (outer === null) return true;
  if (inner === null) return false;
  return outer.id === inner.id || inner.principals.every((principal) => names(outer, principal));
}

/** Whether both are the same audience, or neither has one. */
export function isSameAudience(a: NamedAudience | null, b: NamedAudience | null): boolean {
  return a?.id === b?.id;
}
