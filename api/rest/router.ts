/** Turns the route table into a router. A route's middlewares follow from its operation's declaration. */
import { Router, type RouterContext } from '@koa/router';
import { z } from 'zod';
import type { Caller } from '../../domain/identity/caller.ts';
import { execute } from '../../operations/execute.ts';
import type { Operation } from '../../operations/operation.ts';
import type { OperationTable } from '../../operations/registry.ts';
import type { Environment } from '../../operations/environment/environment.ts';
import { bodyGuards, type BodyOfRoute, type Bounds } from '../bounds.ts';
import type { ApiMiddleware, ApiState } from '../context.ts';
import { authentication, authenticationAgain } from '../middleware/authentication.ts';
import type { BodyShape } from '../middleware/json-body.ts';
import { rateLimit } from '../middleware/rate-limit.ts';
import { requestPace, paceOfList } from '../middleware/request-pace.ts';
import { requestContext } from '../request-context.ts';
import { UNITS_OF_REQUEST } from '../request-pace.ts';
import { refusalFor } from '../refusing.ts';
import type { Log } from '../../engine/logging/logger.ts';
import { asksForEvents, streamEvents } from './event-stream.ts';
import { idempotencyKey } from './idempotency.ts';
import { assembleInput } from './input.ts';
import { readQuery } from './query.ts';
import { BESIDE_DATA, hasBody, takesIdempotencyKey, type Route } from './route.ts';

export interface RestDependencies {
  readonly environment: Environment;
  readonly operations: OperationTable;
  readonly log: Log;
  readonly clock: () => Date;
}

const pageOutput = z.object({ items: z.array(z.unknown()), next_cursor: z.string().nullable() });

type RestContext = RouterContext<ApiState>;

/** A question to the reader is no part of what was read. It stands beside the data, as in the answers of MCP tools. */
function besideData(output: unknown): { readonly data: unknown; readonly beside: object } {
  if (typeof output !== 'object' || output === null || !(BESIDE_DATA in output)) {
    return { data: output, beside: {} };
  }
  const { [BESIDE_DATA]: question, ...data } = output;
  return { data, beside: { [BESIDE_DATA]: question } };
}

/** The output in the envelope of its route, and the cursor of a page. */
function enveloped({ envelope }: Route, output: unknown): { body: unknown; next: string | null } {
  if (envelope === 'bare') return { body: output, next: null };
  const { beside, data } = besideData(output);
  if (envelope === 'data') return { body: { data, ...beside }, next: null };
  const { items, next_cursor: next } = pageOutput.parse(data);
  return { body: { data: items, ...beside }, next };
}

function sendOutput(ctx: RestContext, route: Route, output: unknown): void {
  const { body, next } = enveloped(route, output);
  if (next !== null) ctx.set('x-next-cursor', next);
  ctx.status = typeof route.status === 'number' ? route.status : route.status.of(output);
  ctx.body = body;
}

function endpoint(route: Route, operation: Operation, dependencies: RestDependencies) {
  return async function endpoint(ctx: RestContext): Promise<void> {
    const input = assembleInput(route, {
      params: ctx.params,
      query: readQuery(ctx.querystring),
      body: ctx.state.body,
    });
    const key = takesIdempotencyKey(route, operation) ? idempotencyKey(ctx.req) : null;
    const repeats = key === null ? null : { key, path: ctx.path };
    const context = requestContext(ctx, dependencies, repeats);
    if (route.streams === true && asksForEvents(ctx)) {
      await streamEvents(
        ctx,
        async (emit) =>
          enveloped(route, await execute(operation, { ...context, emit }, input)).body,
        (error) => refusalFor(error, ctx, dependencies.log),
      );
      return;
    }
    sendOutput(ctx, route, await execute(operation, context, input));
  };
}

/** An operation that refuses unknown members is given null members too, so that it can refuse them. */
function bodyShape({ input }: Operation): BodyShape {
  const isObject = input instanceof z.ZodObject;
  const isStrict = isObject && input.def.catchall instanceof z.ZodNever;
  return {
    fieldNames: new Set(isObject ? Object.keys(input.shape) : []),
    nulls: isStrict ? 'kept' : 'absent',
  };
}

function bodyOf({ bodyLimitBytes, file }: Route, operation: Operation): BodyOfRoute {
  return { shape: bodyShape(operation), limitBytes: bodyLimitBytes, file };
}

function unitsOf(route: Route, { access }: Operation): number {
  if (access === 'account_admin') return UNITS_OF_REQUEST.ofOperator;
  // A question is some searches, and up to ten with an effort.
  if (route.streams === true) return UNITS_OF_REQUEST.ofQuestion;
  const isById = route.method === 'GET' && route.path.includes(':');
  return isById ? UNITS_OF_REQUEST.byId : UNITS_OF_REQUEST.usual;
}

/**
 * The credential is resolved before the body is read, so that a request without a valid one costs no reading. It is
 * resolved again after the request has waited and its body was read. A request with a valid one counts as usage of its
 * account, whatever its answer.
 */
function guards(
  route: Route,
  operation: Operation,
  { environment }: RestDependencies,
  { limit, requests, bodies }: Bounds,
): ApiMiddleware[] {
  const isPublic = operation.access === 'public';
  const authenticate = (bearer: string) =>
    operation.access === 'erased'
      ? environment.authenticateErased(bearer)
      : environment.authenticate(bearer);
  const counted = ({ accountId }: Caller) => environment.countRequest?.(accountId);
  return [
    ...(isPublic ? [] : [authentication(authenticate, counted)]),
    ...(limit === null ? [] : [rateLimit(limit)]),
    ...(isPublic ? [] : [requestPace(requests, unitsOf(route, operation))]),
    ...(hasBody(route) ? bodyGuards(bodyOf(route, operation), bodies) : []),
    ...(route.countedList === undefined
      ? []
      : [paceOfList(requests, unitsOf(route, operation), route.countedList)]),
    ...(isPublic ? [] : [authenticationAgain]),
  ];
}

/**
 * A router that serves `routes`; paths are matched exactly, case and trailing slash included. `bounds` are those of the
 * process.
 */
export function createRestRouter(
  routes: readonly Route[],
  dependencies: RestDependencies,
  bounds: Bounds,
): Router<ApiState> {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  for (const route of routes) {
    const operation = dependencies.operations[route.operation];
    const guarded = guards(route, operation, dependencies, bounds);
    router.register(
      route.path,
      [route.method],
      [...guarded, endpoint(route, operation, dependencies)],
    );
  }
  return router;
}
