/**
 * Where the metrics of a process can be read: `GET /metrics` on a port of its own, and nothing else. It asks for
 * no credential. So it listens on loopback unless SERVICE_METRICS_HOST says otherwise, and must not be public.
 */
import Koa from 'koa';
import type { ApiState } from '../../api/context.ts';
import { startServer, type RunningApi } from '../../api/server.ts';
import { PreconditionError } from '../../stores/postgres/precondition-error.ts';
import type { Settings } from '../config/index.ts';
import { defaultPorts } from '../../embedded/port-numbers.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';
import type { Telemetry } from './index.ts';

const FIRST_PORT = defaultPorts.metrics;
/** How many ports from the default on are tried before the start gives up. */
const PORTS_TRIED = 32;
const STOP_DEADLINE_MS = 500;

type Metrics = Pick<Telemetry, 'contentType' | 'text'>;

function metricsApp(metrics: Metrics, log: Log): Koa<ApiState> {
  const app = new Koa<ApiState>();
  app.on('error', (error: unknown) => log.warn('metrics.answer_failed', errorFields(error)));
  app.use(async (ctx) => {
    if (ctx.path !== '/metrics' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
      ctx.status = 404;
      ctx.body = '';
      return;
    }
    const text = await metrics.text();
    ctx.set('Content-Type', metrics.contentType);
    ctx.body = text;
  });
  return app;
}

function isTaken(error: unknown): boolean {
  return Reflect.get(Object(error), 'code') === 'EADDRINUSE';
}

/** Listens on the first free port from `first` on. */
async function listenNearby(app: Koa<ApiState>, host: string, first: number): Promise<RunningApi> {
  for (let port = first; port < first + PORTS_TRIED; port += 1) {
    try {
      return await startServer(app, { host, port });
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
  throw new PreconditionError(
    `There is no free port for metrics from ${first} on. Set SERVICE_METRICS_PORT to a port, or to 0 for no metrics.`,
  );
}

async function listenAt(app: Koa<ApiState>, host: string, port: number): Promise<RunningApi> {
  try {
    return await startServer(app, { host, port });
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new PreconditionError(
      `Port ${port} on ${host}, which SERVICE_METRICS_PORT names, is in use. Stop the program that listens there, or name another port.`,
    );
  }
}

export interface MetricsListener {
  /** Null when it is switched off. */
  readonly port: number | null;
  close(): Promise<void>;
}

/**
 * Opens the listener. `SERVICE_METRICS_PORT` names its port, which is used or refused; 0 switches it off; unset
 * takes `firstPort` or the next free port, and the log says which.
 * @throws PreconditionError when the named port is taken.
 */
export async function openMetrics(
  settings: Pick<Settings, 'SERVICE_METRICS_HOST' | 'SERVICE_METRICS_PORT'>,
  metrics: Metrics,
  log: Log,
  firstPort: number = FIRST_PORT,
): Promise<MetricsListener> {
  const { SERVICE_METRICS_HOST: host, SERVICE_METRICS_PORT: named } = settings;
  if (named === 0) return { port: null, close: async () => {} };
  const app = metricsApp(metrics, log);
  const server = await (named === undefined
    ? listenNearby(app, host, firstPort)
    : listenAt(app, host, named));
  log.info('metrics.listening', { port: server.port });
  return { port: server.port, close: () => server.close(STOP_DEADLINE_MS) };
}
