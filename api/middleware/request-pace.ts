import type { ApiContext, ApiMiddleware } from '../context.ts';
import type { RequestPace } from '../request-pace.ts';

/** Resolves after `ms`, true; false as soon as the client has left. */
function pauseOf(ctx: ApiContext, ms: number): Promise<boolean> {
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

/** Lets a request wait before anything of its body is read, when its account asks faster than it may beside another. */
export function requestPace(requests: RequestPace, units: number): ApiMiddleware {
  return async function requestPace(ctx, next) {
    const accountId = ctx.state.caller?.accountId;
    const ms = accountId === undefined ? 0 : requests.pauseOf(accountId, units);
    // Nobody waits for the answer of a client that has left.
    if (ms < 1 || (await pauseOf(ctx, ms))) await next();
  };
}
