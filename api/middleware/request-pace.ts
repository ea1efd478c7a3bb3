import type { IncomingHttpHeaders } from 'node:http';
import type { ApiContext, ApiMiddleware } from '../context.ts';
import { watchCaller } from '../caller-watch.ts';
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
  ctx.res.once('close', leave);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stopWatching();
    ctx.res.removeListener('close', leave);
  }
}

/** Units of the declared length. A body of unknown length counts no unit here; `BodyIntake` counts its bytes. */
function unitsOfBody({ 'content-length': bytes = '0' }: IncomingHttpHeaders): number {
  return Number(bytes) / BYTES_OF_REQUEST_UNIT;
}

/** Makes a request wait before its body is read when its account asks faster than it may beside a lighter one. */
export function requestPace(requests: RequestPace, units: number): ApiMiddleware {
  return async function requestPace(ctx, next) {
    const accountId = ctx.state.caller?.accountId;
    const all = units + unitsOfBody(ctx.req.headers);
    const ms = accountId === undefined ? 0 : requests.pauseOf(accountId, all);
    // A client that has left needs no answer.
    if (ms < 1 || (await isStillThereAfter(ctx, ms))) await next();
  };
}
