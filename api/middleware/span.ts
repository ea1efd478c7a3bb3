import type { ApiMiddleware } from '../context.ts';
import type { RequestTracing } from '../request-observer.ts';
import { whenAnswered } from './observe.ts';

/** Stands after `trace`. Makes a span of the request, in the trace that the answer names. */
export function span(tracing: RequestTracing): ApiMiddleware {
  return async function span(ctx, next) {
    const { traceId, traceParent: parent } = ctx.state;
    const begun = tracing.begin({ traceId, parent });
    whenAnswered(ctx, (event) => begun.end({ ...event, refused: ctx.state.refused }));
    await begun.run(next);
  };
}
