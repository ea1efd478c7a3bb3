import type { RouterContext } from '@koa/router';
import type Koa from 'koa';
import type { ApiState } from '../context.ts';
import type { RequestEvent, RequestObserver } from '../request-observer.ts';

/** Calls `done` once the answer to this request is sent, or its connection is closed. */
export function whenAnswered(
  ctx: Koa.ParameterizedContext<ApiState>,
  done: (event: RequestEvent) => void,
): void {
  const startedAt = performance.now();
  ctx.res.once('close', () => {
    // The template, never the path. The router sets it on the context of a request that it serves.
    const { _matchedRoute: route } = ctx as Partial<RouterContext<ApiState>>;
    done({
      method: ctx.method,
      route: typeof route === 'string' ? route : null,
      status: ctx.res.writableFinished ? ctx.res.statusCode : null,
      durationMs: performance.now() - startedAt,
    });
  });
}

/** Stands first. Tells the observer of every request. */
export function observe(observer: RequestObserver): Koa.Middleware<ApiState> {
  return async function observe(ctx, next) {
    whenAnswered(ctx, (event) => observer.request(event));
    await next();
  };
}
