/** The values of a request that an operation gets, the same from every door. */
import type { Environment } from '../operations/environment/environment.ts';
import type { RequestContext } from '../operations/operation.ts';
import { clientLeft } from './client-left.ts';
import type { ApiContext } from './context.ts';

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
    signal: clientLeft(ctx),
    clientAddress: ctx.state.clientAddress,
    idempotency,
  };
}
