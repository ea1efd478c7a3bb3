/** The metrics of the real processes, API and worker, on the real servers: what was done is shown, what was said is not. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/patience.ts';
import { startProcesses, type Processes } from '../support/processes.ts';
import { parsePrometheus, type Scrape } from '../support/prometheus.ts';

/** Stands in everything that a caller of this test may choose. */
const CANARY = 'zanzibar';
const SCOPE = `/${CANARY}-scope`;

let processes: Processes;
beforeAll(async () => {
  // What is said is placed, so that there is something to build.
  processes = await startProcesses(CANARY, { SERVICE_UNATTENDED: 'true' });
});
afterAll(() => processes?.close());

async function metricsText(process: 'api' | 'worker'): Promise<string> {
  const response = await fetch(processes.metricsUrl[process]);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return response.text();
}

/** Scrapes until `holds`; queue readings are up to five seconds old. */
function scrapeUntil(
  process: 'api' | 'worker',
  holds: (scrape: Scrape) => boolean,
): Promise<Scrape> {
  return eventually(async () => {
    const scrape = parsePrometheus(await metricsText(process));
    return holds(scrape) && scrape;
  });
}

const OBSERVATION = {
  session_id: `${CANARY}-session`,
  scope_path: SCOPE,
  content: `I moved to ${CANARY}.`,
  peer_key: `${CANARY}-peer`,
  peer_name: `${CANARY} Name`,
};
const IDEMPOTENT = { 'idempotency-key': `${CANARY}-key` };

/** How often a busy machine had to be asked for the status of the observation. */
let looks = 0;

describe('after an observation, its repetition, a search and several refusals', () => {
  beforeAll(async () => {
    const { email, password, post, send } = processes;
    const answers = [
      await post('/api/v1/ingest', OBSERVATION, IDEMPOTENT),
      await post('/api/v1/ingest', OBSERVATION, IDEMPOTENT),
      await post('/api/v1/ingest', { ...OBSERVATION, content: CANARY }, IDEMPOTENT),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 409]);
    const { data }: { data: { message_id: string } } = Object(await answers[0]?.json());
    await eventually(async () => {
      looks += 1;
      const settled = await send(`/api/v1/ingest/${data.message_id}?wait_ms=10000`);
      return Object(await settled.json()).data.status === 'completed';
    });
    const statuses = [
      await post('/api/v1/search', { query: `${CANARY} moved`, scope_path: SCOPE }),
      await post('/api/v1/search', { query: CANARY, profile: CANARY, scope_path: SCOPE }),
      await post('/api/auth/password', { email, password }),
      await post('/api/auth/password', { email, password: CANARY }),
      await send(`/api/v1/knowledge?scope_path=${encodeURIComponent(SCOPE)}&${CANARY}=1`),
      await send(`/${CANARY}/path?${CANARY}=${CANARY}`),
      await send(`/api/v1/ingest/${CANARY}`, { method: 'PATCH', body: CANARY }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 422, 200, 401, 200, 404, 405]);
  });

  test('the API shows requests by route, observations and the parts of the search', async () => {
    const seen = await scrapeUntil(
      'api',
      (scrape) =>
        (scrape.sum('vouch_doorbell_mailboxes_total') ?? 0) > 0 &&
        (scrape.sum('vouch_http_request_duration_seconds_count', { status: '405' }) ?? 0) > 0,
    );
    const requests = (route: string, status: string) =>
      seen.sum('vouch_http_request_duration_seconds_count', { route, status });
    expect(requests('/api/v1/ingest', '202')).toBe(2);
    expect(requests('/api/v1/ingest', '409')).toBe(1);
    expect(requests('/api/v1/ingest/:message_id', '200')).toBe(looks);
    expect(requests('/api/auth/password', '401')).toBe(1);
    expect(requests('unmatched', '404')).toBe(1);
    expect(requests('unmatched', '405')).toBe(1);
    const observations = (outcome: string) => seen.sum('vouch_observations_total', { outcome });
    expect(['accepted', 'replayed', 'conflict'].map(observations)).toEqual([1, 1, 1]);
    for (const stage of ['prepare', 'find', 'hydrate', 'fuse']) {
      expect(seen.sum('vouch_search_stage_duration_seconds_count', { stage })).toBe(1);
    }
    const outcomes = { component: 'lexical', status: 'completed' };
    expect(seen.sum('vouch_search_component_outcomes_total', outcomes)).toBe(1);
    expect(seen.sum('vouch_search_duration_seconds_count', { profile: 'balanced' })).toBe(1);
    expect(seen.sum('vouch_build_info', { process: 'api', build: 'dev' })).toBe(1);
    expect(seen.sum('vouch_database_pool_connections', { state: 'idle' })).toBeGreaterThan(0);
  });

  test('the worker shows its drains and units, and both show queues that are empty', async () => {
    const seen = await scrapeUntil(
      'worker',
      (scrape) =>
        (scrape.sum('vouch_drains_total', { lane: 'ingest', end: 'worked_off' }) ?? 0) > 0 &&
        (scrape.sum('vouch_drain_units_total', { lane: 'projection', outcome: 'ok' }) ?? 0) > 0,
    );
    expect(seen.sum('vouch_drain_units_total', { lane: 'ingest', outcome: 'ok' })).toBe(1);
    const batches = seen.sum('vouch_drain_batch_duration_seconds_count', { lane: 'ingest' });
    expect(batches).toBeGreaterThan(0);
    for (const process of ['api', 'worker'] as const) {
      const empty = await scrapeUntil(process, (scrape) => scrape.sum('vouch_queue_depth') === 0);
      expect(empty.sum('vouch_queue_depth', { queue: 'ingest', state: 'available' })).toBe(0);
      expect(empty.sum('vouch_scrape_errors_total')).toBe(0);
    }
  });

  test('the worker seals the audit events of it all, and both show that none is left', async () => {
    const seen = await scrapeUntil(
      'worker',
      (scrape) => (scrape.sum('vouch_audit_sealed_events_total') ?? 0) > 1,
    );
    expect(seen.sum('vouch_audit_seal_failures_total')).toBe(0);
    for (const process of ['api', 'worker'] as const) {
      await scrapeUntil(
        process,
        (scrape) => scrape.sum('vouch_audit_oldest_unsealed_age_seconds') === 0,
      );
    }
  });

  test('the worker builds context cards of what was said, and both show that nothing is left to build', async () => {
    const seen = await scrapeUntil(
      'worker',
      (scrape) => (scrape.sum('vouch_context_card_build_duration_seconds_count') ?? 0) > 0,
    );
    expect(seen.sum('vouch_context_card_build_failures_total')).toBe(0);
    expect(seen.sum('vouch_context_card_turn_failures_total')).toBe(0);
    for (const process of ['api', 'worker'] as const) {
      await scrapeUntil(
        process,
        (scrape) => scrape.sum('vouch_context_card_oldest_change_age_seconds') === 0,
      );
    }
  });

  test('the metrics of both hold no text of a caller, no id and no runtime version', async () => {
    for (const process of ['api', 'worker'] as const) {
      const text = (await metricsText(process)).toLowerCase();
      const { accountId, apiKey } = processes;
      for (const hidden of [CANARY, accountId, apiKey.toLowerCase(), globalThis.process.version]) {
        expect(text).not.toContain(hidden);
      }
    }
  });

  test('the processes show how late their event loops are', async () => {
    for (const name of ['api', 'worker'] as const) {
      const seen = await scrapeUntil(
        name,
        (scrape) => (scrape.sum('vouch_event_loop_lag_seconds_count') ?? 0) > 0,
      );
      for (const le of ['0.05', '0.25']) {
        expect(seen.sum('vouch_event_loop_lag_seconds_bucket', { le })).toBeGreaterThan(0);
      }
    }
  });

  test('the processes show event loop and memory as every other Node process', async () => {
    const seen = parsePrometheus(await metricsText('api'));
    expect(seen.sum('process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(seen.types.get('nodejs_eventloop_lag_p99_seconds')).toBe('gauge');
  });
});
