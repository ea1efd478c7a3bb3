/** The caller as it stands now, not as it stood when the request came. */
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../domain/identity/caller.ts';
import type { RequestContext } from './operation.ts';

/** Of the context of a request: who asks, and how to ask again who does. */
export type Asked<C extends Caller | null> = Pick<RequestContext<C>, 'caller' | 'resolveCaller'>;

/**
 * Resolves the caller again: for an operation that took long and is about to write. In process the caller
 * stays the same. Refuses with `unauthorized` once the credential has ended.
 */
export async function callerNow<C extends Caller | null>(context: Asked<C>): Promise<C> {
  const { caller, resolveCaller } = context;
  // `resolveCaller` answers a caller, never null, so the type stays that of the caller before.
  return caller === null || resolveCaller === undefined ? caller : ((await resolveCaller()) as C);
}

/**
 * Whether the caller has other rights than it had when its request came: for an operation that waits, and should not
 * wait for somebody who may not know the end. Refuses as `callerNow` does.
 */
export async function callerHasChanged(context: Asked<Caller>): Promise<boolean> {
  return !isDeepStrictEqual(await callerNow(context), context.caller);
}
