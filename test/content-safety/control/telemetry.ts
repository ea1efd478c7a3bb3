/**
 * Metrics and traces in the two ways of the control. Both are offered the same: a request, a batch that fails,
 * calls to a provider. The plain one keeps what it is offered, as instrumentation without a filter does; ours is
 * the layer of this program behind the middlewares of its door.
 */
import { SpanStatusCode, type Attributes } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { Router } from '@koa/router';
import Koa from 'koa';
import { Counter, Registry } from 'prom-client';
import type { ApiState } from '../../../api/context.ts';
import { errorMapper } from '../../../api/middleware/error-mapper.ts';
import { observe } from '../../../api/middleware/observe.ts';
import { span } from '../../../api/middleware/span.ts';
import { trace } from '../../../api/middleware/trace.ts';
import { MODEL_ROLES } from '../../../domain/models/roles.ts';
import type { AttemptEvent, CircuitEvent } from '../../../engine/models/observer.ts';
import { loadConfig } from '../../../runtime/config/index.ts';
import { modelLog } from '../../../runtime/container/models.ts';
import type { Log } from '../../../engine/logging/logger.ts';
import type { OnActivityFailure } from '../../../runtime/temporal/activity-interceptor.ts';
import { createTelemetry } from '../../../runtime/telemetry/index.ts';
import { openTraces } from '../../../runtime/telemetry/traces/index.ts';
import { startCollector } from '../../support/collector.ts';
import { serve } from '../../support/http.ts';
import type { Leak } from './leaks.ts';

type TextOf = (leak: Leak) => string;

export interface ControlTelemetry {
  readonly activityFailed: OnActivityFailure;
  /** Offers every text. What came back to who asked is the answer. */
  offer(text: TextOf): Promise<unknown>;
  /** Sends what waits. What a scrape shows, and everything that the collector got. */
  close(): Promise<{ readonly metrics: string; readonly traces: string }>;
}

/** The parts that differ. */
interface Instruments {
  readonly app: Koa<ApiState>;
  readonly activityFailed: OnActivityFailure;
  /** A method that no client of this test can send. */
  method(method: string): void;
  batch(error: Error): Promise<void>;
  attempt(event: AttemptEvent): void;
  circuit(event: CircuitEvent): void;
  metrics(): Promise<string>;
  /** Sends what waits. */
  close(): Promise<void>;
}

async function offerRequest(app: Koa<ApiState>, text: TextOf): Promise<unknown> {
  const http = await serve(app);
  try {
    const {
      status,
      headers,
      text: body,
    } = await http.call({
      path: `/control/${text('request_path')}?q=${text('request_query')}`,
      headers: {
        traceparent: `00-${text('request_traceparent')}-00f067aa0ba902b7-01`,
        tracestate: `vendor=${text('request_tracestate')}`,
        baggage: `user=${text('request_baggage')}`,
      },
    });
    return { status, headers, body };
  } finally {
    await http.close();
  }
}

async function offerAll(instruments: Instruments, text: TextOf): Promise<unknown> {
  const { app, activityFailed } = instruments;
  app.on('error', () => undefined);
  app.context['thrown'] = new Error(text('request_error'));
  const answer = await offerRequest(app, text);
  instruments.method(text('request_method'));
  const code = text('batch_error_code');
  await instruments.batch(Object.assign(new Error(text('batch_error')), { code }));
  const named = { role: MODEL_ROLES[0], provider: text('provider_name') };
  const call = {
    status: 'error',
    errorClass: 'transport_error',
    durationMs: 1,
    anchors: 1,
    tokens: null,
  } as const;
  instruments.attempt({ ...named, ...call });
  // The type holds the role; this shows that the layer does not depend on it.
  const role: AttemptEvent['role'] = JSON.parse(JSON.stringify(text('provider_role')));
  instruments.attempt({ ...call, role, provider: 'openai-compatible' });
  instruments.circuit({
    role: MODEL_ROLES[0],
    provider: 'openai-compatible',
    model: 'stub-model',
    modelVersion: '1',
    accountId: text('circuit_account'),
    event: 'opened',
    consecutiveFailures: 5,
  });
  activityFailed('ingest', text('activity_metric_code'));
  return answer;
}

async function controlOf(make: (collectorUrl: string) => Instruments): Promise<ControlTelemetry> {
  const collector = await startCollector();
  const instruments = make(collector.url);
  return {
    activityFailed: instruments.activityFailed,
    offer: (text) => offerAll(instruments, text),
    async close() {
      const metrics = await instruments.metrics();
      await instruments.close();
      const traces = `${collector.text()}\n${JSON.stringify(collector.heads)}`;
      await collector.close();
      return { metrics, traces };
    },
  };
}

/** Labels and attributes are what they are offered; errors are recorded with message and stack. */
export function plainTelemetry(log: Log): Promise<ControlTelemetry> {
  return controlOf((collectorUrl) => {
    const registry = new Registry();
    const total = new Counter({
      name: 'control_total',
      help: 'Everything, by whatever it was.',
      labelNames: ['label'],
      registers: [registry],
    });
    const exporter = new OTLPTraceExporter({ url: `${collectorUrl}/v1/traces` });
    const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
    const tracer = provider.getTracer('control');
    const record = (name: string, attributes: Attributes, error?: Error): void => {
      total.inc({ label: name });
      const one = tracer.startSpan(name, { attributes });
      if (error !== undefined) {
        one.recordException(error);
        one.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
      }
      one.end();
    };
    const app = new Koa<ApiState>();
    app.use((ctx) => {
      const { thrown } = ctx;
      record(ctx.path, { url: ctx.url, headers: JSON.stringify(ctx.headers) }, thrown);
      log.warn('request.failed', { error: String(thrown) });
      ctx.status = 500;
      ctx.body = String(thrown);
    });
    return {
      app,
      activityFailed: (_lane, code) => total.inc({ label: code }),
      method: (method) => record(method, {}),
      batch: async (error) => {
        record('batch', {}, error);
        record(String(Reflect.get(error, 'code')), {});
      },
      attempt: ({ role, provider: name }) => {
        record(role, {});
        record('model', { name });
        total.inc({ label: name });
      },
      circuit({ accountId }) {
        total.inc({ label: accountId });
        log.warn('circuit.opened', { account_id: accountId });
      },
      metrics: () => registry.metrics(),
      close: () => provider.shutdown(),
    };
  });
}

/** The layer of this program, wired as its processes wire it. */
export function ownTelemetry(log: Log): Promise<ControlTelemetry> {
  return controlOf((collectorUrl) => {
    const telemetry = createTelemetry({ process: 'api', buildSha: 'dev' });
    const { settings } = loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl });
    const traces = openTraces(settings, 'api', log);
    if (traces === null) throw new Error('there are no traces');
    const router = new Router<ApiState>();
    router.get('/control/:word', (ctx) => {
      throw Reflect.get(ctx, 'thrown');
    });
    const app = new Koa<ApiState>();
    app.use(observe(telemetry.requests)).use(trace()).use(span(traces.requests));
    app.use(errorMapper(log)).use(router.routes());
    const failing = (work: () => Promise<never>) =>
      traces.batches.batch('ingest', [], work).catch(() => undefined);
    return {
      app,
      activityFailed: telemetry.activityFailed,
      method(method) {
        const event = { method, route: null, status: 405, durationMs: 1 };
        telemetry.requests.request(event);
        traces.requests
          .begin({ traceId: 'a'.repeat(32), parent: null })
          .end({ ...event, refused: 'method_not_allowed' });
      },
      async batch(error) {
        await failing(async () => {
          throw error;
        });
        telemetry.activityFailed('ingest', String(Reflect.get(error, 'code')));
      },
      attempt(event) {
        telemetry.models.attempt(event);
        // Only within a batch has a call a span to belong to.
        void failing(async () => {
          traces.models.attempt(event);
          throw new Error('over');
        });
      },
      circuit(event) {
        telemetry.models.circuit(event);
        modelLog(log).circuit(event);
      },
      metrics: () => telemetry.text(),
      close: () => traces.close(),
    };
  });
}
