import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { createContextCardMetrics } from '../../../runtime/telemetry/context-card-metrics.ts';
import { parsePrometheus } from '../../support/prometheus.ts';

function scene() {
  const registry = new Registry();
  const observer = createContextCardMetrics(registry);
  return { observer, scrape: async () => parsePrometheus(await registry.metrics()) };
}

test('places are counted by kind, with the rows that were written and removed and how long it took', async () => {
  const { observer, scrape } = scene();
  observer.built({ kind: 'entity_card', written: 3, removed: 1, durationMs: 250 });
  observer.built({ kind: 'entity_card', written: 0, removed: 0, durationMs: 50 });
  observer.built({ kind: 'scope_card', written: 1, removed: 0, durationMs: 5 });
  const seen = await scrape();
  const rows = (kind: string, change: string) =>
    seen.sum('vouch_context_card_rows_total', { kind, change });
  expect([rows('entity_card', 'written'), rows('entity_card', 'removed')]).toEqual([3, 1]);
  expect([rows('scope_card', 'written'), rows('peer_profile', 'written')]).toEqual([1, 0]);
  const kind = 'entity_card';
  expect(seen.sum('vouch_context_card_build_duration_seconds_count', { kind })).toBe(2);
  expect(seen.sum('vouch_context_card_build_duration_seconds_sum', { kind })).toBeCloseTo(0.3);
});

test('summaries are counted by how they ended', async () => {
  const { observer, scrape } = scene();
  observer.summarised({ kind: 'scope_card', end: 'kept', durationMs: 900 });
  observer.summarised({ kind: 'scope_card', end: 'failed', durationMs: 30_000 });
  observer.summarised({ kind: 'peer_profile', end: 'left', durationMs: 1 });
  const seen = await scrape();
  const count = (kind: string, end: string) =>
    seen.sum('vouch_context_card_summary_duration_seconds_count', { kind, end });
  expect([count('scope_card', 'kept'), count('scope_card', 'failed')]).toEqual([1, 1]);
  expect([count('peer_profile', 'left'), count('session_summary', 'kept')]).toEqual([1, 0]);
});

test('failures are shown as 0 before the first one, and counted by kind', async () => {
  const { observer, scrape } = scene();
  const failures = async () => {
    const seen = await scrape();
    return [
      seen.sum('vouch_context_card_build_failures_total', { kind: 'session_summary' }),
      seen.sum('vouch_context_card_turn_failures_total'),
    ];
  };
  expect(await failures()).toEqual([0, 0]);
  observer.buildFailed('session_summary');
  observer.turnFailed();
  expect(await failures()).toEqual([1, 1]);
});
