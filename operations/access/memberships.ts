/** What a reader is besides its peer: the circles and roles that audiences may name. */
import { rolePrincipalsOf } from '../../domain/audiences/principals.ts';
import { roleAt, type Grant } from '../../domain/identity/roles.ts';
import { parseScopePath } from '../../domain/scopes/path.ts';
import type { ScopeRow } from '../../stores/postgres/scopes/scopes.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';

function rolePrincipals(grants: readonly Grant[], scopes: readonly ScopeRow[]): readonly string[] {
  return scopes.flatMap(({ id, path }) => {
    const parsed = parseScopePath(path);
    return parsed === null ? [] : rolePrincipalsOf(id, roleAt(grants, parsed));
  });
}

/**
 * The principals that the peer is in the scopes, by its circles and by its own grants: naming a reader lends it no role.
 * They tell indexes and lists what to look at; who reads what they find, Postgres decides again. `grants`: those of the
 * peer, where they are known; else they are read. One query.
 */
export async function membershipsOf(
  { audiences }: Stores,
  peerId: string,
  scopes: readonly ScopeRow[],
  grants: readonly Grant[] | null,
): Promise<readonly string[]> {
  const ids = scopes.map(({ id }) => id);
  const found = await audiences.memberships(peerId, ids, { withGrants: grants === null });
  return [...found.circle_ids, ...rolePrincipals(grants ?? found.grants, scopes)];
}
