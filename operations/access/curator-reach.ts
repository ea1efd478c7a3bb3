/** The scopes that a person curates, in the form in which a query judges them. */
import type { CuratorReach } from '../../domain/governance/curator-reach.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { areEverything, openingsWithin } from '../../domain/identity/openings.ts';
import { ROOT_PATH, type ScopePath } from '../../domain/scopes/path.ts';
import { reachOf } from './scopes-of-role.ts';

/** Whether `within` is the account and the person curates each scope of it, so that its queue is the person's own. */
export function curatesEverything(caller: Caller, within: ScopePath = ROOT_PATH): boolean {
  const reach = curatorReach(caller, within);
  return reach !== null && areEverything(reach.openings);
}

/** The scopes at `within` and below it of which `curates` is true; null where it is true of none. */
export function curatorReach(caller: Caller, within: ScopePath = ROOT_PATH): CuratorReach | null {
  const reach = reachOf(caller, within);
  if (reach === null) return null;
  return { peerId: caller.peerId, openings: openingsWithin(caller.grants, reach, 'curator') };
}
