/** Where a person decides about what others said. */
import { Refusal } from '../../domain/errors.ts';
import { isCuratorSomewhere, type Caller } from '../../domain/identity/caller.ts';

/** Refuses with `forbidden` a caller that is curator nowhere. */
export function assertCurator(caller: Caller): void {
  if (!isCuratorSomewhere(caller)) throw new Refusal('forbidden');
}
