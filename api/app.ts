/**
 * The HTTP door: Koa, one middleware per concern, one route table. It translates between HTTP and
 * operations and holds no rule of its own.
 */
import type { BlockList } from 'node:net';
import Koa from 'koa';
import type { OperationTable } from '../operations/registry.ts';
import type { Environment } from '../operations/environment/environment.ts';
import { errorFields, type Log } from '../engine/logging/logger.ts';
import { createBounds } from './bounds.ts';
import { serveConsole } from './console/door.ts';
import { networkOfRequest } from './client-address.ts';
import type { ApiState } from './context.ts';
import { errorMapper } from './middleware/error-mapper.ts';
import { observe } from './middleware/observe.ts';
import { span } from './middleware/span.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { trace } from './middleware/trace.ts';
import { unmatched } from './middleware/unmatched.ts';
import type { BodyPaces } from './read-body.ts';
import type { RequestPace } from './request-pace.ts';
import type { RequestObserver, RequestTracing } from './request-observer.ts';
import { addressRules, type AddressRules } from './mcp/address.ts';
import { serveMcp } from './mcp/route.ts';
import { openApiText } from './openapi/index.ts';
import { serveDescription } from './openapi/routes.ts';
import { createRestRouter } from './rest/router.ts';
import { ROUTES } from './rest/routes.ts';

export interface AppConfig {
  /** Requests per second and credential; null for no limit. */
  readonly ratePerSecond: number | null;
  /** Whether the address that people use is https, behind a proxy or not. */
  readonly publicHttps: boolean;
  /** Where people and agents reach the service, and whose pages may ask for them; the default port of this machine when left out. */
  readonly address?: AddressRules;
  /** Proxies that are trusted to name the client's address; none when left out. */
  readonly trustedProxies?: BlockList | null;
  /** How slowly bodies may come; the usual paces when left out. */
  readonly bodyPaces?: BodyPaces;
  /** How fast a heavy account may ask beside a lighter one; when left out, derived from the cores of the machine. */
  readonly requestPace?: RequestPace;
}

export interface AppDependencies {
  readonly environment: Environment;
  readonly log: Log;
  readonly operations: OperationTable;
  readonly config: AppConfig;
  readonly clock?: () => Date;
  readonly observer?: RequestObserver;
  readonly tracing?: RequestTracing | undefined;
}

/** The application, not yet listening (see `startServer`). */
export function createApp(dependencies: AppDependencies): Koa<ApiState> {
  const { environment, operations, config, log, clock = () => new Date() } = dependencies;
  const app = new Koa<ApiState>();
  // Koa emits only failures while an answer is being written; without a listener it would print them.
  app.on('error', (error: unknown) => log.warn('http.answer_failed', errorFields(error)));
  const { bodyPaces, ratePerSecond, requestPace } = config;
  const bounds = createBounds({ clock, ratePerSecond, bodyPaces, requestPace });
  const doors = { environment, operations, log, clock };
  const router = createRestRouter(ROUTES, doors, bounds);
  const address = config.address ?? addressRules(null, []);
  serveMcp(router, { ...doors, address }, bounds);
  const ofConsole = serveConsole(
    router,
    { ...doors, address, isHttps: config.publicHttps },
    bounds,
  );
  serveDescription(router, () => openApiText(operations));
  if (dependencies.observer !== undefined) app.use(observe(dependencies.observer));
  app.use(async (ctx, next) => {
    ctx.state.caller = null;
    ctx.state.refused = null;
    ctx.state.body = {};
    ctx.state.clientAddress = networkOfRequest(ctx.req, config.trustedProxies ?? null);
    await next();
  });
  app.use(trace());
  if (dependencies.tracing !== undefined) app.use(span(dependencies.tracing));
  app.use(securityHeaders({ publicHttps: config.publicHttps }));
  app.use(errorMapper(log));
  app.use(router.routes());
  app.use(ofConsole);
  app.use(unmatched());
  return app;
}
