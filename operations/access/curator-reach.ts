/** The scopes that a person curates, in the form in which a query judges them. */
import type { CuratorReach } from '../../domain/governance/curator-reach.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { openingsWithin } from '../../domain/identity/openings.ts';
import { ROOT_PATH, type ScopePath } from '../../domain/scopes/path.ts';
import { reachOf } from './scopes-of-role.ts';

/** The scopes at `within` and below it of which `curates` is true; null where it is true of none. */
export function curatorReach(caller: Caller, within: ScopePath = ROOT_PATH): CuratorReach | null {
  const reach = reachOf(caller, within);
  if (reach === null) return null;
  return { peerId: caller.peerId, openings: openingsWithin(caller.grants, reach, 'curator') };
}
