/** Traces of the real processes at a collector: what was done is there, in the trace it was asked in, and no content. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startCollector, type CollectedSpan, type Collector } from '../support/collector.ts';
import { eventually } from '../support/patience.ts';
import { startProcesses, type Processes } from '../support/processes.ts';
import { parsePrometheus } from '../support/prometheus.ts';

const CANARY = 'zanzibar';
const SCOPE = `/${CANARY}-scope`;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER_SPAN = '00f067aa0ba902b7';
const UNSAMPLED = '5bf92f3577b34da6a3ce929d0e0e4736';
const OBSERVATION = {
  session_id: `${CANARY}-session`,
  scope_path: SCOPE,
  content: `Ana moved to ${CANARY}.`,
  peer_key: `${CANARY}-peer`,
};

let collector: Collector;
let processes: Processes;
let ingestTrace: string;

function named(name: string): readonly CollectedSpan[] {
  return collector.spans.filter((span) => span.name === name);
}

/** Does a few things, then ends both processes, which sends what is left. */
beforeAll(async () => {
  collector = await startCollector();
  processes = await startProcesses(CANARY, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=a%20key,x-other=2',
  });
  try {
    const { post, send, email } = processes;
    const accepted = await post('/api/v1/ingest', OBSERVATION);
    ingestTrace = accepted.headers.get('x-trace-id') ?? '';
    const { data }: { data: { message_id: string } } = Object(await accepted.json());
    await eventually(async () => {
      const status = await send(`/api/v1/ingest/${data.message_id}?wait_ms=10000`);
      return Object(await status.json()).data.status === 'completed';
    });
    const search = { query: `moved to ${CANARY}`, scope_path: SCOPE };
    await post('/api/v1/search', search, { traceparent: `00-${TRACE}-${CALLER_SPAN}-01` });
    await post('/api/v1/search', search, { traceparent: `00-${UNSAMPLED}-${CALLER_SPAN}-00` });
    await post('/api/v1/search', { ...search, profile: CANARY });
    await post('/api/auth/password', { email, password: CANARY });
    await send(`/${CANARY}?${CANARY}=1`);
    await eventually(async () => {
      const response = await fetch(processes.metricsUrl.worker);
      const written = { lane: 'projection', outcome: 'ok' };
      const scrape = parsePrometheus(await response.text());
      return (scrape.sum('vouch_drain_units_total', written) ?? 0) > 0;
    });
  } finally {
    await processes.close();
  }
});
afterAll(() => collector?.close());

describe('a request', () => {
  test('is one span, named after its route, of the trace that its answer names', () => {
    const [span, ...more] = named('POST /api/v1/ingest');
    expect(more).toEqual([]);
    expect(span).toMatchObject({ traceId: ingestTrace, spanId: ingestTrace.slice(16) });
    expect(span?.parentSpanId ?? '').toBe('');
    expect(span?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/ingest',
      'http.response.status_code': 202,
    });
  });

  test('continues the span that its caller named, with the stages of its search below it', () => {
    const [request, ...more] = collector.spans.filter(
      ({ traceId, name }) => traceId === TRACE && name === 'POST /api/v1/search',
    );
    expect(more).toEqual([]);
    expect(request?.parentSpanId).toBe(CALLER_SPAN);
    const below = collector.spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(below.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['search', 'search.prepare', 'search.find', 'search.hydrate']),
    );
    expect(below.every(({ traceId }) => traceId === TRACE)).toBe(true);
  });

  test('that its caller does not sample leaves no span', () => {
    expect(collector.spans.filter(({ traceId }) => traceId === UNSAMPLED)).toEqual([]);
  });

  test('that is refused has the error code and nothing else in its span', () => {
    const codes = collector.spans.map(({ attributes }) => attributes['error.type']);
    expect(codes).toEqual(expect.arrayContaining(['invalid_request', 'unauthorized', 'not_found']));
    expect(named('GET')[0]?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 404,
      'error.type': 'not_found',
    });
  });
});

test('a batch of a drain links to the traces of the requests that brought its units', () => {
  const [drain, ...more] = named('drain ingest');
  expect(more).toEqual([]);
  expect(drain?.traceId).not.toBe(ingestTrace);
  expect(drain?.links).toEqual([
    expect.objectContaining({ traceId: ingestTrace, spanId: ingestTrace.slice(16) }),
  ]);
  expect(drain?.attributes).toMatchObject({ 'vouch.lane': 'ingest', 'vouch.units.ok': 1 });
  expect(named('drain projection').length).toBeGreaterThan(0);
});

test('the exporter sends to the address and with the headers of the settings', () => {
  expect(collector.heads.length).toBeGreaterThan(1);
  for (const { path, headers } of collector.heads) {
    expect(path).toBe('/v1/traces');
    expect(headers).toMatchObject({ 'x-collector-key': 'a key', 'x-other': '2' });
  }
  const services = new Set(collector.resources.map((resource) => JSON.stringify(resource)));
  expect([...services].toSorted()).toEqual([
    '{"service.name":"vouch-api"}',
    '{"service.name":"vouch-worker"}',
  ]);
});

test('no content, no name, no secret, no baggage and no trace state is sent', () => {
  const { accountId, apiKey } = processes;
  const text = collector.text().toLowerCase();
  for (const hidden of [CANARY, apiKey.toLowerCase(), accountId, 'select ', 'baggage']) {
    expect(text).not.toContain(hidden);
  }
  for (const { events, status, traceState } of collector.spans) {
    expect([events, status.message ?? '', traceState ?? '']).toEqual([[], '', '']);
  }
});
