/**
 * Optional traces of what the process does: requests, batches of drains, stages of searches, calls to providers.
 *
 * Spans are made by hand: automatic instrumentation would record SQL and addresses. Attributes are counts and words
 * of closed lists; an error is its code. Nothing is registered globally, so no library finds a tracer, and nothing is
 * passed on to other services. Of what a caller sends only trace id, span id and the sampling flag are used.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import type { BatchTracing } from '../../../activities/observer.ts';
import { UNIT_OUTCOMES, type UnitCounts } from '../../../domain/actors/unit-counts.ts';
import type { RequestTracing } from '../../../api/request-observer.ts';
import { failureCode } from '../../../activities/failure.ts';
import { within } from '../../../engine/async.ts';
import type { TraceParent } from '../../../domain/tracing.ts';
import { MODEL_PROVIDERS, MODEL_ROLES } from '../../../domain/models/roles.ts';
import { isDegrading } from '../../../domain/retrieval/outcomes.ts';
import type { ModelObserver } from '../../../engine/models/observer.ts';
import type { AnswerObserver, RecallObserver } from '../../../engine/answers/observer.ts';
import type { SearchObserver } from '../../../engine/retrieval/observer.ts';
import type { SourceSearchObserver } from '../../../engine/source-search/observer.ts';
import { traceEndpoint, type TracingSettings } from '../../config/tracing.ts';
import type { Log } from '../../../engine/logging/logger.ts';
import { seconds, wordOf } from '../buckets.ts';
import { methodOf } from '../request-metrics.ts';
import { createProvider, rootSpanId, type TraceIds } from './provider.ts';

export interface Traces {
  readonly requests: RequestTracing;
  readonly batches: BatchTracing;
  readonly searches: SearchObserver;
  readonly answers: AnswerObserver & RecallObserver;
  readonly sourceSearches: SourceSearchObserver;
  readonly models: Pick<ModelObserver, 'attempt'>;
  /** Sends the spans that wait; gives up after five seconds. */
  close(): Promise<void>;
}

const CLOSE_WITHIN_MS = 5_000;
/** Links of a batch past this number are left out; a batch may hold so many units. */
const MAX_LINKS = 50;

/** The span that the present chain of calls belongs to. */
type Current = AsyncLocalStorage<Context>;

function remoteParent({ traceId, spanId, sampled }: TraceParent): Context {
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  });
}

function requestTracing(tracer: Tracer, ids: TraceIds, current: Current): RequestTracing {
  const kind = SpanKind.SERVER;
  return {
    begin({ traceId, parent }) {
      const span =
        parent === null
          ? ids.beginning(traceId, () => tracer.startSpan('request', { kind }, ROOT_CONTEXT))
          : tracer.startSpan('request', { kind }, remoteParent(parent));
      return {
        run: (work) => current.run(trace.setSpan(ROOT_CONTEXT, span), work),
        end({ method, route, status, refused }) {
          const known = methodOf(method);
          span.updateName(route === null ? known : `${known} ${route}`);
          span.setAttributes({
            'http.request.method': known,
            ...(route === null ? {} : { 'http.route': route }),
            ...(status === null ? { 'error.type': 'aborted' } : {}),
            ...(status === null ? {} : { 'http.response.status_code': status }),
            ...(refused === null ? {} : { 'error.type': refused }),
          });
          if (status !== null && status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
  };
}

function linkTo(traceId: string): { readonly context: SpanContext } {
  return { context: { traceId, spanId: rootSpanId(traceId), traceFlags: TraceFlags.NONE } };
}

function counted(span: Span, counts: UnitCounts): void {
  for (const outcome of UNIT_OUTCOMES) span.setAttribute(`vouch.units.${outcome}`, counts[outcome]);
}

function batchTracing(tracer: Tracer, current: Current): BatchTracing {
  return {
    async batch(lane, traceIds, work) {
      const links = [...new Set(traceIds)].slice(0, MAX_LINKS).map(linkTo);
      const options = { kind: SpanKind.CONSUMER, links, attributes: { 'vouch.lane': lane } };
      const span = tracer.startSpan(`drain ${lane}`, options, ROOT_CONTEXT);
      try {
        const counts = await current.run(trace.setSpan(ROOT_CONTEXT, span), work);
        // A pass that found no work is no batch: its span is not ended, so it is not sent.
        if (UNIT_OUTCOMES.some((outcome) => counts[outcome] > 0)) {
          counted(span, counts);
          span.end();
        }
        return counts;
      } catch (error) {
        span.setAttribute('error.type', failureCode(error));
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        throw error;
      }
    },
  };
}

/** Records a finished span below the span of the present chain of calls; without one nothing is recorded. */
function past(tracer: Tracer, current: Current) {
  return (name: string, durationMs: number, attributes: Attributes, kind?: SpanKind): void => {
    const context = current.getStore();
    if (context === undefined) return;
    const endTime = Date.now();
    const startTime = endTime - seconds(durationMs) * 1000;
    const span = tracer.startSpan(
      name,
      { startTime, attributes, kind: kind ?? SpanKind.INTERNAL },
      context,
    );
    if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endTime);
  };
}

function searchTracing(record: ReturnType<typeof past>): SearchObserver {
  return {
    stage: (stage, durationMs) => record(`search.${stage}`, durationMs, {}),
    answered({ profile, outcomes, durationMs }) {
      const degraded = outcomes.filter(isDegrading).map(({ component }) => component);
      record('search', durationMs, {
        'vouch.search.profile': profile,
        'vouch.search.degraded_components': degraded,
      });
    },
  };
}

function answerTracing(record: ReturnType<typeof past>): Traces['answers'] {
  return {
    round({ calls, durationMs, effort }) {
      record('recall.round', durationMs, {
        'vouch.recall.effort': effort,
        'vouch.recall.calls': calls,
      });
    },
    recalled({ durationMs, effort, exhausted }) {
      record('recall', durationMs, {
        'vouch.recall.effort': effort,
        'vouch.recall.exhausted': [...exhausted],
      });
    },
    answered({ durationMs, errorClass, kind, provider }) {
      record('answer', durationMs, {
        'vouch.answer.provider': wordOf(MODEL_PROVIDERS, provider),
        'vouch.answer.kind': kind,
        ...(errorClass === null ? {} : { 'error.type': errorClass }),
      });
    },
  };
}

function sourceSearchTracing(record: ReturnType<typeof past>): SourceSearchObserver {
  return {
    answered({ durationMs, failureClass, mode, status }) {
      record('source-search', durationMs, {
        'vouch.source_search.mode': mode,
        'vouch.source_search.status': status,
        ...(failureClass === null ? {} : { 'error.type': failureClass }),
      });
    },
  };
}

function modelTracing(record: ReturnType<typeof past>): Traces['models'] {
  return {
    attempt({ role, provider, status, errorClass, durationMs, tokens }) {
      const closedRole = wordOf(MODEL_ROLES, role);
      const attributes = {
        'vouch.model.role': closedRole,
        'vouch.model.provider': wordOf(MODEL_PROVIDERS, provider),
        'vouch.model.status': status,
        ...(errorClass === null ? {} : { 'error.type': errorClass }),
        ...(tokens === null
          ? {}
          : {
              'gen_ai.usage.input_tokens': tokens.input + tokens.embedding,
              'gen_ai.usage.output_tokens': tokens.output,
            }),
      };
      record(`model ${closedRole}`, durationMs, attributes, SpanKind.CLIENT);
    },
  };
}

/** The traces of a process, or null without an endpoint. Sends nothing before the first span. */
export function openTraces(
  settings: TracingSettings,
  process: 'api' | 'worker',
  log: Log,
): Traces | null {
  const endpoint = traceEndpoint(settings);
  if (endpoint === null) return null;
  const { ids, provider } = createProvider({ endpoint, settings, process, log });
  const tracer = provider.getTracer('vouch');
  const current: Current = new AsyncLocalStorage();
  const record = past(tracer, current);
  return {
    requests: requestTracing(tracer, ids, current),
    batches: batchTracing(tracer, current),
    searches: searchTracing(record),
    answers: answerTracing(record),
    sourceSearches: sourceSearchTracing(record),
    models: modelTracing(record),
    async close() {
      const shutdown = provider.shutdown().catch(() => undefined);
      await within(CLOSE_WITHIN_MS, shutdown, () => undefined);
    },
  };
}
