/** The caller as it stands now, not as it stood when the request came. */
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../domain/identity/caller.ts';
import type { RequestContext } from './operation.ts';

/** The caller in the context of a request, and how to resolve it again. */
export type Asked<C extends Caller | null> = Pick<RequestContext<C>, 'caller' | 'resolveCaller'>;

/**
 * Resolves the caller again, for a long operation that is about to write. In process the caller stays the same. Refuses
 * with `unauthorized` if the credential has ended.
 */
export async function callerNow<C extends Caller | null>(context: Asked<C>): Promise<C> {
  const { caller, resolveCaller } = context;
  // `resolveCaller` answers a caller, never null, so the type stays that of the caller before.
  return caller === null || resolveCaller === undefined ? caller : ((await resolveCaller()) as C);
}

/**
 * Whether the rights of the caller have changed since its request came. An operation that waits stops for a caller that
 * may no longer read the result. Refuses as `callerNow` does.
 */
export async function callerHasChanged(context: Asked<Caller>): Promise<boolean> {
  return !isDeepStrictEqual(await callerNow(context), context.caller);
}
