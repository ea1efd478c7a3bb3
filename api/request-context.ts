/** What an operation is told of the request that calls it, by whichever door it came. */
import type { Environment } from '../operations/environment.ts';
import type { RequestContext } from '../operations/operation.ts';
import type { ApiContext } from './context.ts';

/** Aborts when the connection closes before the answer is sent: the client left, or the process stops. */
function abortWithConnection(ctx: ApiContext): AbortSignal {
  const controller = new AbortController();
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) controller.abort();
  });
  return controller.signal;
}

export interface ContextSources {
  readonly environment: Environment;
  readonly clock: () => Date;
}

/** The context of a call; `idempotency` names the request that the call may be a repetition of. */
export function requestContext(
  ctx: ApiContext,
  { environment, clock }: ContextSources,
  idempotency: RequestContext['idempotency'],
): RequestContext {
  return {
    caller: ctx.state.caller,
    ...(ctx.state.resolveCaller && { resolveCaller: ctx.state.resolveCaller }),
    traceId: ctx.state.traceId,
    now: clock(),
    ...environment,
    signal: abortWithConnection(ctx),
    clientAddress: ctx.state.clientAddress,
    idempotency,
  };
}
