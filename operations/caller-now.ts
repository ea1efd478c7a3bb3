/** The caller as it stands now, not as it stood when the request came. */
import type { Caller } from '../domain/identity/caller.ts';
import type { RequestContext } from './operation.ts';

/**
 * Resolves the caller again: for an operation that took long and is about to write. In process the caller
 * stays the same. Refuses with `unauthorized` once the credential has ended.
 */
export async function callerNow<C extends Caller | null>(context: RequestContext<C>): Promise<C> {
  const { caller, resolveCaller } = context;
  // `resolveCaller` answers a caller, never null, so the type stays that of the caller before.
  return caller === null || resolveCaller === undefined ? caller : ((await resolveCaller()) as C);
}
