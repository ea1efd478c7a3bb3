import type { IncomingHttpHeaders } from 'node:http';
import type { ApiContext, ApiMiddleware } from '../context.ts';
import { watchCaller } from '../caller-watch.ts';
import { clientLeft } from '../client-left.ts';
import { BYTES_OF_REQUEST_UNIT, type RequestPace } from '../request-pace.ts';

/**
 * Resolves with true after `ms`, or with false as soon as the client has left. Rejects once the credential of the request
 * has ended.
 */
async function isStillThereAfter(ctx: ApiContext, ms: number): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const leave = (): void => resolve(false);
  const timer = setTimeout(resolve, ms, true);
  const stopWatching = watchCaller(async () => ctx.state.resolveCaller?.(), reject);
  const left = clientLeft(ctx);
  left.addEventListener('abort', leave, { once: true });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stopWatching();
    left.removeEventListener('abort', leave);
  }
}

/** Units of the declared length. A body of unknown length counts no unit here; `BodyIntake` counts its bytes. */
function unitsOfBody({ 'content-length': bytes = '0' }: IncomingHttpHeaders): number {
  return Number(bytes) / BYTES_OF_REQUEST_UNIT;
}

/**
 * Counts `units` for the account of the request and waits as long as it may not go on beside a lighter account. Resolves
 * with false when the client has left meanwhile. Rejects once the credential of the request has ended.
 */
export async function waitForPace(
  ctx: ApiContext,
  requests: RequestPace,
  units: number,
): Promise<boolean> {
  const accountId = ctx.state.caller?.accountId;
  const ms = accountId === undefined ? 0 : requests.pauseOf(accountId, units);
  return ms < 1 || isStillThereAfter(ctx, ms);
}

/** Makes a request wait before its body is read when its account asks faster than it may beside a lighter one. */
export function requestPace(requests: RequestPace, units: number): ApiMiddleware {
  return async function requestPace(ctx, next) {
    const all = units + unitsOfBody(ctx.req.headers);
    // A client that has left needs no answer.
    if (await waitForPace(ctx, requests, all)) await next();
  };
}

/**
 * Counts `units` for each entry but the first of the list `name` of a body, which has been read: the account's next request
 * waits for them. A wait now would hold the body in memory.
 */
export function paceOfList(requests: RequestPace, units: number, name: string): ApiMiddleware {
  return async function paceOfList(ctx, next) {
    const list = ctx.state.body[name];
    const accountId = ctx.state.caller?.accountId;
    if (Array.isArray(list) && list.length > 1 && accountId !== undefined) {
      requests.pauseOf(accountId, (list.length - 1) * units);
    }
    await next();
  };
}
