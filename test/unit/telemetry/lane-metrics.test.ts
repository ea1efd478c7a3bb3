import { expect, test } from '@jest/globals';
import { runDrain, type DrainParts } from '../../../activities/drain.ts';
import type { UnitCounts } from '../../../domain/actors/unit-counts.ts';
import { Registry } from 'prom-client';
import { createLaneMetrics } from '../../../runtime/telemetry/lane-metrics.ts';
import { parsePrometheus } from '../../support/prometheus.ts';

const INPUT = {
  accountId: '01890000-0000-7000-8000-000000000001',
  shard: 0,
  maxMs: 10_000,
  maxUnits: 100,
};

function scene(step: () => Promise<UnitCounts | null>, paused = false) {
  const registry = new Registry();
  const metrics = createLaneMetrics(registry);
  const parts: DrainParts = {
    mailboxes: {
      openDrain: async () => ({ epoch: 1, paused }),
      refreshAwake: async () => 'current',
      closeDrain: async () => {},
    },
    watcher: { waitForWork: async () => false },
    stopping: new AbortController().signal,
    cancelled: new AbortController().signal,
    heartbeat() {},
    work: () => ({ step, release: async () => {}, nextDueInMs: async () => null }),
    onError() {},
    batchSize: 10,
    observer: metrics.drains,
  };
  return {
    metrics,
    drain: () => runDrain('ingest', INPUT, parts),
    scrape: async () => parsePrometheus(await registry.metrics()),
  };
}

test('a drain counts its batches, the outcomes of their units, and why it ended', async () => {
  const left: UnitCounts[] = [
    { ok: 10, retry: 0, failed: 0, fenced: 0 },
    { ok: 1, retry: 2, failed: 3, fenced: 4 },
  ];
  const { drain, scrape } = scene(async () => left.shift() ?? null);
  await drain();
  const seen = await scrape();
  const units = (outcome: string) =>
    seen.sum('vouch_drain_units_total', { lane: 'ingest', outcome });
  expect([units('ok'), units('retry'), units('failed'), units('fenced')]).toEqual([11, 2, 3, 4]);
  expect(seen.sum('vouch_drain_batch_duration_seconds_count', { lane: 'ingest' })).toBe(2);
  expect(seen.sum('vouch_drains_total', { lane: 'ingest', end: 'worked_off' })).toBe(1);
  expect(seen.sum('vouch_drains_total')).toBe(1);
});

test('a drain that throws ends as failed, and its error is rethrown', async () => {
  const { drain, scrape } = scene(() => Promise.reject(new RangeError('a defect')));
  await expect(drain()).rejects.toThrow('a defect');
  expect((await scrape()).sum('vouch_drains_total', { end: 'failed' })).toBe(1);
});

test('a paused mailbox ends its drain as paused, without a batch', async () => {
  const { drain, scrape } = scene(async () => null, true);
  await drain();
  const seen = await scrape();
  expect(seen.sum('vouch_drains_total', { end: 'paused' })).toBe(1);
  expect(seen.sum('vouch_drain_batch_duration_seconds_count')).toBeNull();
});

test('failures of activities are counted by code, and an unknown code as other', async () => {
  const { metrics, scrape } = scene(async () => null);
  metrics.activityFailed('governance', 'DB_UNAVAILABLE');
  metrics.activityFailed('governance', 'a caller said this');
  const seen = await scrape();
  const failures = (code: string) => seen.sum('vouch_activity_failures_total', { code });
  expect([failures('DB_UNAVAILABLE'), failures('other')]).toEqual([1, 1]);
  expect(seen.samples.map(({ labels }) => labels['code'])).not.toContain('a caller said this');
});
