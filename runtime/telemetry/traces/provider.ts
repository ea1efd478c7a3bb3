/** Makes spans and exports them: one sampler, one source of ids, one exporter. Nothing is registered globally. */
import { parseKeyPairsIntoRecord, ExportResultCode, type ExportResult } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type IdGenerator,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '../../config/tracing.ts';
import type { Log } from '../../../engine/logging/logger.ts';

const ALL_ZERO = /^0+$/;

/** The span id of the request that began a trace: the second half of its trace id, or the first if that is zero. */
export function rootSpanId(traceId: string): string {
  const half = traceId.slice(16);
  return ALL_ZERO.test(half) ? traceId.slice(0, 16) : half;
}

/**
 * Makes random ids, except for a root span with a given trace id: its span id is derived from the trace id, so that a
 * batch can link to it although only trace ids are kept.
 */
export class TraceIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #root: string | null = null;

  /** Runs `begin`, which must begin a root span of that trace and no other span. */
  beginning<T>(traceId: string, begin: () => T): T {
    this.#root = traceId;
    try {
      return begin();
    } finally {
      this.#root = null;
    }
  }

  generateTraceId(): string {
    return this.#root ?? this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#root === null ? this.#random.generateSpanId() : rootSpanId(this.#root);
  }
}

function rootSampler(settings: TracingSettings): Sampler {
  const name = settings.OTEL_TRACES_SAMPLER;
  if (name.endsWith('traceidratio')) {
    return new TraceIdRatioBasedSampler(settings.OTEL_TRACES_SAMPLER_ARG);
  }
  return name.endsWith('always_off') ? new AlwaysOffSampler() : new AlwaysOnSampler();
}

function samplerOf(settings: TracingSettings): Sampler {
  const root = rootSampler(settings);
  return settings.OTEL_TRACES_SAMPLER.startsWith('parentbased_')
    ? new ParentBasedSampler({ root })
    : root;
}

/** At most one line about failures in this time. */
const REPORT_EVERY_MS = 60_000;

/** An exporter that logs its failures, without the collector's answer. */
function reporting(exporter: SpanExporter, log: Log): SpanExporter {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
      exporter.export(spans, (result) => {
        const due = performance.now() - reportedAt > REPORT_EVERY_MS;
        if (result.code !== ExportResultCode.SUCCESS && due) {
          reportedAt = performance.now();
          log.warn('traces.export_failed', { spans: spans.length });
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

export interface ProviderOptions {
  /** The address that takes spans. */
  readonly endpoint: string;
  readonly settings: TracingSettings;
  readonly process: 'api' | 'worker';
  readonly log: Log;
}

export function createProvider({ endpoint, settings, process, log }: ProviderOptions) {
  const ids = new TraceIds();
  const exporter = new OTLPTraceExporter({
    url: endpoint,
    timeoutMillis: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
    headers: parseKeyPairsIntoRecord(settings.OTEL_EXPORTER_OTLP_HEADERS),
  });
  const provider = new TracerProvider({
    idGenerator: ids,
    sampler: samplerOf(settings),
    // No detectors: they name host, user and command line.
    resource: resourceFromAttributes({
      'service.name': settings.OTEL_SERVICE_NAME ?? `vouch-${process}`,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter: reporting(exporter, log) })],
  });
  return { ids, provider };
}
