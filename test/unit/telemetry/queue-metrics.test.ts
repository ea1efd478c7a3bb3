import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { watchQueues, type QueueCounts } from '../../../runtime/telemetry/queue-metrics.ts';
import { parsePrometheus } from '../../support/prometheus.ts';

const ANCHOR = { status: 'pending', held: false, due: true, total: 3, oldest_age_seconds: 40 };

const SWEEPS = {
  passes: Object.fromEntries(
    ['expiry', 'revalidation', 'ageing', 'questions'].map((kind, n) => [
      kind,
      { completedAt: null, waitedSeconds: 100 + n },
    ]),
  ),
  failedAccounts: 0,
  setAside: 0,
};

function scene(anchors: () => Promise<unknown>) {
  const registry = new Registry();
  const clock = { ms: 1_000 };
  let asked = 0;
  const health = {
    anchors: () => {
      asked += 1;
      return anchors();
    },
    marks: async () => [
      { engine: 'qdrant', unit: 'message', overdue: false, total: 2, oldest_age_seconds: 1 },
      { engine: 'meilisearch', unit: 'statement', overdue: false, total: 5, oldest_age_seconds: 9 },
    ],
    unsealedAuditSeconds: async () => 12,
    waitingContextCardSeconds: async () => 31,
    lastSweeps: async () => SWEEPS,
    oldestErasureSeconds: async () => 90,
    overdueReviews: async () => [{ kind: 'contest', total: 2, oldest_overdue_seconds: 50 }],
    runs: async () => [{ kind: 'regate', status: 'failed', total: 1, oldest_age_seconds: 70 }],
  } as unknown as QueueCounts;
  const read = watchQueues(registry, health, () => clock.ms);
  return {
    clock,
    asked: () => asked,
    scrape: async () => {
      await read();
      return parsePrometheus(await registry.metrics());
    },
  };
}

test('depth and oldest age are shown by queue and state, and an empty queue as 0', async () => {
  const { scrape } = scene(async () => [ANCHOR, { ...ANCHOR, due: false, total: 4 }]);
  const seen = await scrape();
  const depth = (queue: string, state: string) => seen.sum('vouch_queue_depth', { queue, state });
  expect(depth('ingest', 'available')).toBe(3);
  expect(depth('ingest', 'scheduled')).toBe(4);
  expect(depth('projection', 'available')).toBe(7);
  expect(depth('governance', 'retryable')).toBe(1);
  expect(depth('dream', 'available')).toBe(0);
  const age = (queue: string) => seen.sum('vouch_queue_oldest_age_seconds', { queue });
  expect(age('projection')).toBe(9);
  expect(age('governance')).toBe(70);
  expect(seen.sum('vouch_audit_oldest_unsealed_age_seconds')).toBe(12);
  expect(seen.sum('vouch_context_card_oldest_change_age_seconds')).toBe(31);
  expect(seen.sum('vouch_scrape_errors_total', { source: 'queues' })).toBe(0);
});

test('what the service and people owe is shown, and nothing owed as 0', async () => {
  const seen = await scene(async () => [ANCHOR, { ...ANCHOR, oldest_age_seconds: 70 }]).scrape();
  expect(seen.sum('vouch_extraction_lag_seconds')).toBe(70);
  expect(seen.sum('vouch_index_lag_seconds', { index: 'qdrant' })).toBe(1);
  expect(seen.sum('vouch_index_lag_seconds', { index: 'meilisearch' })).toBe(9);
  expect(seen.sum('vouch_erasure_oldest_age_seconds')).toBe(90);
  expect(seen.sum('vouch_reviews_overdue', { kind: 'contest' })).toBe(2);
  expect(seen.sum('vouch_reviews_overdue_seconds', { kind: 'contest' })).toBe(50);
  expect(seen.sum('vouch_reviews_overdue', { kind: 'gate_b' })).toBe(0);
  expect(seen.sum('vouch_lifecycle_sweep_age_seconds', { sweep: 'revalidation' })).toBe(101);
});

test('many scrapes at once are one query, repeated after five seconds', async () => {
  const { scrape, asked, clock } = scene(async () => [ANCHOR]);
  await Promise.all(Array.from({ length: 50 }, () => scrape()));
  clock.ms += 4_999;
  await scrape();
  expect(asked()).toBe(1);
  clock.ms += 1;
  await scrape();
  expect(asked()).toBe(2);
});

test('while the database is away nothing is shown instead of 0, and the failure is counted', async () => {
  let away = false;
  const { scrape, clock } = scene(async () => {
    if (away) throw new Error('away');
    return [ANCHOR];
  });
  expect((await scrape()).sum('vouch_queue_depth', { queue: 'ingest' })).toBe(3);
  away = true;
  clock.ms += 5_000;
  const seen = await scrape();
  expect(seen.sum('vouch_queue_depth')).toBeNull();
  expect(seen.sum('vouch_queue_oldest_age_seconds')).toBeNull();
  expect(seen.sum('vouch_audit_oldest_unsealed_age_seconds')).toBeNull();
  expect(seen.sum('vouch_context_card_oldest_change_age_seconds')).toBeNull();
  for (const name of [
    'vouch_extraction_lag_seconds',
    'vouch_index_lag_seconds',
    'vouch_erasure_oldest_age_seconds',
    'vouch_reviews_overdue',
    'vouch_reviews_overdue_seconds',
    'vouch_lifecycle_sweep_age_seconds',
  ]) {
    expect([name, seen.sum(name)]).toEqual([name, null]);
  }
  expect(seen.sum('vouch_scrape_errors_total', { source: 'queues' })).toBe(1);
  away = false;
  clock.ms += 5_000;
  expect((await scrape()).sum('vouch_queue_depth', { queue: 'ingest' })).toBe(3);
});
