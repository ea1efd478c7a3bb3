/** Turns the route table into a router. What a route needs follows from its operation's declaration. */
import { Router, type RouterContext } from '@koa/router';
import { z } from 'zod';
import { execute } from '../../operations/execute.ts';
import type { Operation, RequestContext } from '../../operations/operation.ts';
import type { OperationTable } from '../../operations/registry.ts';
import type { Services } from '../../operations/services.ts';
import { clientNetwork } from '../client-address.ts';
import type { ApiMiddleware, ApiState } from '../context.ts';
import { authentication } from '../middleware/authentication.ts';
import { jsonBody, type BodyShape } from '../middleware/json-body.ts';
import { largeBodies } from '../middleware/large-bodies.ts';
import { rateLimit } from '../middleware/rate-limit.ts';
import { idempotencyKey } from './idempotency.ts';
import { assembleInput } from './input.ts';
import { hasBody, takesIdempotencyKey, type Route } from './route.ts';

const DEFAULT_BODY_LIMIT_BYTES = 4 * 1024 * 1024;
/** Larger bodies than by default that a process takes in at a time. */
const LARGE_BODIES = 4;

export interface RestDependencies {
  readonly services: Services;
  readonly operations: OperationTable;
  readonly clock: () => Date;
  /** Requests per second and credential; null for no limit. */
  readonly ratePerSecond: number | null;
}

type RestContext = RouterContext<ApiState>;

/** Aborts when the connection closes before the answer is out: the client left, or the process stops. */
function abortWithConnection(ctx: RestContext): AbortSignal {
  const controller = new AbortController();
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) controller.abort();
  });
  return controller.signal;
}

function requestContext(
  ctx: RestContext,
  route: Route,
  operation: Operation,
  dependencies: RestDependencies,
): RequestContext {
  const key = takesIdempotencyKey(route, operation) ? idempotencyKey(ctx.req) : null;
  return {
    caller: ctx.state.caller,
    traceId: ctx.state.traceId,
    now: dependencies.clock(),
    services: dependencies.services,
    signal: abortWithConnection(ctx),
    clientAddress: clientNetwork(ctx.req.socket.remoteAddress),
    idempotency: key === null ? null : { key, path: ctx.path },
  };
}

function endpoint(route: Route, operation: Operation, dependencies: RestDependencies) {
  return async function endpoint(ctx: RestContext): Promise<void> {
    const input = assembleInput(route, {
      params: ctx.params,
      query: ctx.query,
      body: ctx.state.body,
    });
    const context = requestContext(ctx, route, operation, dependencies);
    const output = await execute(operation, context, input);
    ctx.status = typeof route.status === 'number' ? route.status : route.status.of(output);
    ctx.body = route.envelope === 'data' ? { data: output } : output;
  };
}

/** An operation that refuses members it does not know is shown all of them, null or not. */
function bodyShape({ input }: Operation): BodyShape {
  const isObject = input instanceof z.ZodObject;
  const isStrict = isObject && input.def.catchall instanceof z.ZodNever;
  return {
    fieldNames: new Set(isObject ? Object.keys(input.shape) : []),
    nulls: isStrict ? 'kept' : 'absent',
  };
}

/** Credentials come before the body: a stranger cannot make the process read one. */
function guards(
  route: Route,
  operation: Operation,
  dependencies: RestDependencies,
  limit: ApiMiddleware | null,
): ApiMiddleware[] {
  return [
    ...(operation.access === 'public'
      ? []
      : [authentication((bearer) => dependencies.services.identity.authenticate(bearer))]),
    ...(limit === null ? [] : [limit]),
    ...((route.bodyLimitBytes ?? 0) > DEFAULT_BODY_LIMIT_BYTES
      ? [largeBodies(LARGE_BODIES, DEFAULT_BODY_LIMIT_BYTES)]
      : []),
    ...(hasBody(route)
      ? [
          jsonBody(
            route.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES,
            bodyShape(operation),
            route.largestFileBytes,
          ),
        ]
      : []),
  ];
}

/** A router that serves `routes`; paths are matched exactly, case and trailing slash included. */
export function createRestRouter(
  routes: readonly Route[],
  dependencies: RestDependencies,
): Router<ApiState> {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const limit =
    dependencies.ratePerSecond === null
      ? null
      : rateLimit(dependencies.ratePerSecond, dependencies.clock);
  for (const route of routes) {
    const operation = dependencies.operations[route.operation];
    router.register(
      route.path,
      [route.method],
      [...guards(route, operation, dependencies, limit), endpoint(route, operation, dependencies)],
    );
  }
  return router;
}
