import { METHODS } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { ASSETS_PATH } from '../../../console/assets.ts';
import { CONSOLE_ROUTES } from '../../../console/routes.ts';
import { ROUTES } from '../../../api/rest/routes.ts';
import { createRequestMetrics } from '../../../runtime/telemetry/request-metrics.ts';
import { eventually } from '../../support/patience.ts';
import { parsePrometheus, type Sample } from '../../support/prometheus.ts';
import { GOOD_CALLS, openDoor, type FakeDoor } from '../../support/fake-door.ts';

const COUNT = 'vouch_http_request_duration_seconds_count';
const DESCRIPTION = ['/api/openapi.json', '/api/docs', '/api/docs/assets/:name'];
const TEMPLATES = [...ROUTES.map(({ path }) => path), ...DESCRIPTION];
const PAGES = [...CONSOLE_ROUTES.map(({ path }) => path), `${ASSETS_PATH}/*rest`];
const ROUTE_LABELS: readonly string[] = [...TEMPLATES, ...PAGES, 'unmatched'];
const METHOD_LABELS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'];
const STATUS = /^(?:[1-5][0-9]{2}|aborted)$/;

let door: FakeDoor;
const registry = new Registry();

beforeAll(async () => {
  door = await openDoor({ observer: createRequestMetrics(registry) });
});
afterAll(() => door.close());

async function counted(): Promise<readonly Sample[]> {
  const { samples } = parsePrometheus(await registry.metrics());
  return samples.filter(({ name }) => name === COUNT);
}

async function total(): Promise<number> {
  return (await counted()).reduce((sum, { value }) => sum + value, 0);
}

/** An answer is counted when its connection is done with it, which the client may see a moment before. */
function untilCounted(requests: number): Promise<true> {
  return eventually(async () => (await total()) >= requests);
}

test('every route is counted under its template, never under its path', async () => {
  const before = await total();
  const calls = [...GOOD_CALLS, { path: '/api/docs' }, { path: '/api/docs/assets/none' }];
  for (const call of calls) await door.call(call);
  await untilCounted(before + calls.length);
  const routes = (await counted()).map(({ labels }) => labels['route']);
  expect(new Set(routes)).toEqual(new Set(TEMPLATES));
});

// CONNECT asks for a tunnel: no request object reaches the application.
const anyMethod = fc.constantFrom(...METHODS.filter((method) => method !== 'CONNECT'));
const segment = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('api', 'v1', 'ingest', 'search', 'metrics', ':message_id', '..', '%00', '%ff'),
);
const anyPath = fc.oneof(
  fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join('/')}`),
  fc
    .tuple(fc.constantFrom(...ROUTES.map(({ path }) => path)), segment)
    .map((pair) => pair.join('')),
);

test('no method, path or query makes a label outside the closed lists', async () => {
  let sent = await total();
  await fc.assert(
    fc.asyncProperty(anyMethod, anyPath, segment, async (method, path, query) => {
      await door.call({ method, path: `${path}?q=${query}`, token: 'bad' });
      sent += 1;
    }),
    { numRuns: 300, examples: [['HEAD', '/api/v1/governance/reviews/bulk', '']] },
  );
  await untilCounted(sent);
  const samples = await counted();
  for (const { labels } of samples) {
    expect(ROUTE_LABELS).toContain(labels['route']);
    expect(METHOD_LABELS).toContain(labels['method']);
    expect(labels['status']).toMatch(STATUS);
    expect(Object.keys(labels).toSorted()).toEqual(['method', 'route', 'status']);
  }
  expect(await total()).toBe(sent);
});

test('a request whose client left is counted as aborted', async () => {
  const started = Promise.withResolvers<void>();
  const own = new Registry();
  const slow = await openDoor({
    observer: createRequestMetrics(own),
    run: (_name, { signal }) => {
      started.resolve();
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('gone')), { once: true });
      });
    },
  });
  try {
    const leaving = new AbortController();
    const request = fetch(`${slow.url}/api/health`, { signal: leaving.signal });
    await started.promise;
    leaving.abort();
    await expect(request).rejects.toThrow();
    const text = await eventually(async () => {
      const metrics = await own.metrics();
      return metrics.includes('status="aborted"') && metrics;
    });
    expect(parsePrometheus(text).sum(COUNT, { route: '/api/health', status: 'aborted' })).toBe(1);
  } finally {
    await slow.close();
  }
});
