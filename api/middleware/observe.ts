import type { RouterContext } from '@koa/router';
import type Koa from 'koa';
import type { ApiState } from '../context.ts';
import type { RequestObserver } from '../request-observer.ts';

/** Stands first. Tells the observer of every request once its connection is done with the answer. */
export function observe(observer: RequestObserver): Koa.Middleware<ApiState> {
  return async function observe(ctx, next) {
    const startedAt = performance.now();
    ctx.res.once('close', () => {
      // The template, never the path: the router leaves it on the context of a request that it serves.
      const { _matchedRoute: route } = ctx as Partial<RouterContext<ApiState>>;
      observer.request({
        method: ctx.method,
        route: typeof route === 'string' ? route : null,
        status: ctx.res.writableFinished ? ctx.res.statusCode : null,
        durationMs: performance.now() - startedAt,
      });
    });
    await next();
  };
}
