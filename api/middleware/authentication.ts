import type { Caller } from '../../domain/identity/caller.ts';
import { Refusal } from '../../domain/errors.ts';
import type { ApiMiddleware } from '../context.ts';

/** RFC 6750: the scheme in any case, one space, one token. */
const BEARER = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/** The token of exactly one `Authorization: Bearer` header; null for none, several or another form. */
function bearerToken(headers: readonly string[] | undefined): string | null {
  if (headers === undefined || headers.length !== 1) return null;
  return BEARER.exec(headers[0] ?? '')?.[1] ?? null;
}

/**
 * Resolves the credential of the request. Every failure is the same 401. `onResolved` is told of a request with a valid
 * one, whatever its answer will be.
 */
export function authentication(
  authenticate: (bearer: string) => Promise<Caller | null>,
  onResolved?: (caller: Caller) => void,
): ApiMiddleware {
  return async function authentication(ctx, next) {
    const token = bearerToken(ctx.req.headersDistinct['authorization']);
    const resolveCaller = async (): Promise<Caller> => {
      const caller = token === null ? null : await authenticate(token);
      if (caller === null) throw new Refusal('unauthorized');
      return caller;
    };
    ctx.state.resolveCaller = resolveCaller;
    const caller = await resolveCaller();
    ctx.state.caller = caller;
    onResolved?.(caller);
    await next();
  };
}

/**
 * Resolves the credential once more after the body was read, which may have taken long. Costs a look-up in the
 * authenticator's memory while its entry is fresh.
 */
export const authenticationAgain: ApiMiddleware = async function authenticationAgain(ctx, next) {
  const { resolveCaller } = ctx.state;
  if (resolveCaller !== undefined) ctx.state.caller = await resolveCaller();
  await next();
};
