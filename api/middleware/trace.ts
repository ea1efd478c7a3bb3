import { randomBytes } from 'node:crypto';
import { parseTraceparent } from '../../domain/tracing.ts';
import type { ApiMiddleware } from '../context.ts';

/** A fresh trace id: 32 lowercase hex digits. */
export function newTraceId(): string {
  return randomBytes(16).toString('hex');
}

/** Gives the request its trace id, the caller's own when valid, and every answer `x-trace-id`. */
export function trace(): ApiMiddleware {
  return async function trace(ctx, next) {
    const header = ctx.req.headers['traceparent'];
    const parent = parseTraceparent(typeof header === 'string' ? header : undefined);
    ctx.state.traceParent = parent;
    ctx.state.traceId = parent?.traceId ?? newTraceId();
    ctx.set('x-trace-id', ctx.state.traceId);
    await next();
  };
}
