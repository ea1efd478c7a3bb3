import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AttemptEvent } from '../../../engine/models/observer.ts';
import { loadConfig } from '../../../runtime/config/index.ts';
import type { Log } from '../../../engine/logging/logger.ts';
import { openTraces, type Traces } from '../../../runtime/telemetry/traces/index.ts';
import { startCollector, type Collector } from '../../support/collector.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const UNITS = { ok: 1, retry: 0, failed: 0, fenced: 0 };
const ATTEMPT: AttemptEvent = {
  role: 'ingest_extractor',
  provider: 'openai-compatible',
  status: 'error',
  errorClass: 'provider_rate_limited',
  durationMs: 20,
  anchors: 3,
  tokens: { input: 5, output: 2, embedding: 0 },
};

let collector: Collector;
const warned: string[] = [];
const log: Log = { info() {}, warn: (event) => void warned.push(event), error() {} };

beforeEach(async () => {
  warned.length = 0;
  collector = await startCollector();
});
afterEach(() => collector.close());

function open(settings: Readonly<Record<string, string>> = {}): Traces {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const traces = openTraces(loadConfig({ ...endpoint, ...settings }).settings, 'worker', log);
  if (traces === null) throw new Error('no traces');
  return traces;
}

describe('spans', () => {
  test('a call to a provider belongs to the batch that made it', async () => {
    const traces = open();
    await traces.batches.batch('ingest', [TRACE, TRACE], async () => {
      await Promise.resolve();
      traces.models.attempt(ATTEMPT);
      return UNITS;
    });
    await traces.close();
    const [drain] = collector.spans.filter(({ name }) => name === 'drain ingest');
    const [call] = collector.spans.filter(({ name }) => name === 'model ingest_extractor');
    expect(drain?.links).toHaveLength(1);
    expect(call).toMatchObject({ traceId: drain?.traceId, parentSpanId: drain?.spanId });
    expect(call?.attributes).toEqual({
      'vouch.model.role': 'ingest_extractor',
      'vouch.model.provider': 'openai-compatible',
      'vouch.model.status': 'error',
      'error.type': 'provider_rate_limited',
      'gen_ai.usage.input_tokens': 5,
      'gen_ai.usage.output_tokens': 2,
    });
  });

  test('a provider call outside a batch, and a batch without units, are not sent', async () => {
    const traces = open();
    traces.models.attempt(ATTEMPT);
    await traces.batches.batch('projection', [], async () => ({ ...UNITS, ok: 0 }));
    await traces.close();
    expect(collector.spans).toEqual([]);
  });

  test('a batch that throws says the code of its failure, never the message', async () => {
    const traces = open();
    const failing = traces.batches.batch('ingest', [], () =>
      Promise.reject(Object.assign(new Error('a secret canary'), { code: '57P01' })),
    );
    await expect(failing).rejects.toThrow('a secret canary');
    await traces.close();
    expect(collector.spans[0]?.attributes).toMatchObject({ 'error.type': 'DB_UNAVAILABLE' });
    expect(collector.text()).not.toContain('canary');
  });

  test('a request without a caller span begins its trace with a span id derived from the trace id', async () => {
    const traces = open();
    const begun = [TRACE, `${TRACE.slice(0, 16)}${'0'.repeat(16)}`].map((traceId) =>
      traces.requests.begin({ traceId, parent: null }),
    );
    const event = { method: 'BREW', route: null, status: null, durationMs: 1, refused: null };
    for (const span of begun) span.end(event);
    await traces.close();
    const ids = collector.spans.map(({ spanId }) => spanId);
    expect(ids).toEqual([TRACE.slice(16), TRACE.slice(0, 16)]);
    expect(collector.spans.map(({ name }) => name)).toEqual(['other', 'other']);
  });
});

describe('the settings of the ecosystem', () => {
  const off = (settings: Readonly<Record<string, string>>) =>
    openTraces(loadConfig(settings).settings, 'api', log);

  test('without an endpoint, or switched off, there are no traces', () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
    expect(off({})).toBeNull();
    expect(off({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeNull();
    expect(off({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBeNull();
  });

  test('samplers and the name of the service are honoured', async () => {
    const none = open({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
    await none.batches.batch('ingest', [], async () => UNITS);
    await none.close();
    expect(collector.spans).toEqual([]);
    const all = open({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_SERVICE_NAME: 'memory' });
    await all.batches.batch('ingest', [], async () => UNITS);
    await all.close();
    expect(collector.resources).toEqual([{ 'service.name': 'memory' }]);
  });

  test.each([
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ])('%s=%s is a clear error at start', (name, value) => {
    expect(() => loadConfig({ [name]: value })).toThrow(name);
  });
});

test('a collector that is away delays no work, and is logged once', async () => {
  const traces = open({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
  });
  await traces.batches.batch('ingest', [], async () => UNITS);
  await traces.close();
  expect(warned).toEqual(['traces.export_failed']);
});
