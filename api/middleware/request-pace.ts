import type { IncomingHttpHeaders } from 'node:http';
import type { ApiContext, ApiMiddleware } from '../context.ts';
import { BYTES_OF_REQUEST_UNIT, type RequestPace } from '../request-pace.ts';

/** Resolves with true after `ms`, or with false as soon as the client has left. */
function isStillThereAfter(ctx: ApiContext, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isThere: boolean): void => {
      clearTimeout(timer);
      ctx.res.removeListener('close', leave);
      resolve(isThere);
    };
    const leave = (): void => end(false);
    const timer = setTimeout(end, ms, true);
    ctx.res.once('close', leave);
  });
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
