/** Where a person decides about what others said. */
import { Refusal } from '../../domain/errors.ts';
import {
  holdsRoleAt,
  isCuratorSomewhere,
  mayName,
  type Caller,
} from '../../domain/identity/caller.ts';
import { parseScopePath } from '../../domain/scopes/path.ts';

/** Whether the caller is curator or administrator of the scope at the path, which its pin lets it name. */
export function curates(caller: Caller, path: string): boolean {
  const parsed = parseScopePath(path);
  return parsed !== null && mayName(caller, parsed) && holdsRoleAt(caller, parsed, 'curator');
}

/** Refuses with `forbidden` a caller that is curator nowhere. */
export function assertCurator(caller: Caller): void {
  if (!isCuratorSomewhere(caller)) throw new Refusal('forbidden');
}
