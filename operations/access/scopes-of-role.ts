/** The scopes of a subtree at which the caller holds a role. */
import type { Caller } from '../../domain/identity/caller.ts';
import type { Role } from '../../domain/identity/roles.ts';
import { openingsWithin } from '../../domain/identity/openings.ts';
import { isWithin, type ScopePath } from '../../domain/scopes/path.ts';
import type { ScopeRow } from '../../stores/postgres/scopes/scopes.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';

/** Where below `within` the caller may name scopes; null where its pin leaves nothing of it. */
export function reachOf({ pinPath: pin }: Caller, within: ScopePath): ScopePath | null {
  if (pin === null || isWithin(within, pin)) return within;
  return isWithin(pin, within) ? pin : null;
}

/**
 * Up to `limit` of the scopes at `within` and below it at which the caller holds at least the role, in no order. Others are
 * neither read nor counted, so that nothing of the answer, its size included, tells that they exist.
 */
export async function scopesOfRole(
  { scopeDirectory }: Pick<Stores, 'scopeDirectory'>,
  caller: Caller,
  {
    limit,
    role,
    within,
  }: { readonly within: ScopePath; readonly role: Role; readonly limit: number },
): Promise<readonly ScopeRow[]> {
  const reach = reachOf(caller, within);
  if (reach === null) return [];
  return scopeDirectory.some(openingsWithin(caller.grants, reach, role), limit);
}
