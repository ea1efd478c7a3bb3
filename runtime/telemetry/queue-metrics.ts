/**
 * Queue depths and ages, read from Postgres at a scrape. One reading serves every scrape of the next seconds, so
 * that many scrapes cost no more than one; a failed reading is kept as long. While Postgres does not answer the
 * gauges are absent, never 0, and the failure is counted.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import { bounded } from '../../operations/health/bounded.ts';
import type { ReadinessSources } from '../../operations/environment/readiness-sources.ts';
import {
  QUEUE_STATES,
  QUEUES,
  queueEntries,
  type QueueEntry,
} from '../../operations/health/queue-depths.ts';
import { keptForScrapes } from './kept-reading.ts';
import { createLagMetrics, type LagReading } from './lag-metrics.ts';

export type QueueCounts = Pick<
  ReadinessSources,
  | 'anchors'
  | 'marks'
  | 'runs'
  | 'lastSweeps'
  | 'oldestErasureSeconds'
  | 'overdueReviews'
  | 'unsealedAuditSeconds'
  | 'waitingContextCardSeconds'
>;

interface Reading {
  readonly entries: readonly QueueEntry[];
  readonly lag: LagReading;
  readonly unsealedSeconds: number;
  readonly unbuiltContextCardSeconds: number;
}

async function readQueues(health: QueueCounts): Promise<Reading> {
  const [[anchors, marks, runs], [overdue, erasureSeconds, sweeps], unsealedSeconds, cardSeconds] =
    await Promise.all([
      Promise.all([health.anchors(), health.marks(), health.runs()]),
      Promise.all([health.overdueReviews(), health.oldestErasureSeconds(), health.lastSweeps()]),
      health.unsealedAuditSeconds(),
      health.waitingContextCardSeconds(),
    ]);
  return {
    entries: queueEntries(anchors, marks, runs),
    lag: { anchors, marks, overdue, erasureSeconds, sweeps },
    unsealedSeconds,
    unbuiltContextCardSeconds: cardSeconds,
  };
}

/** The result must be called and awaited before the registry is read. `now` is in monotonic milliseconds. */
export function watchQueues(
  registry: Registry,
  health: QueueCounts,
  now: () => number = () => performance.now(),
): () => Promise<void> {
  const registers = [registry];
  const labelNames = ['queue', 'state'] as const;
  const depth = new Gauge({
    name: 'vouch_queue_depth',
    help: 'Units of work of all accounts that are not finished. The same in every process: take the maximum.',
    labelNames,
    registers,
  });
  const age = new Gauge({
    name: 'vouch_queue_oldest_age_seconds',
    help: 'Age of the oldest of them, 0 when there are none. The same in every process: take the maximum.',
    labelNames,
    registers,
  });
  const unsealed = new Gauge({
    name: 'vouch_audit_oldest_unsealed_age_seconds',
    help: 'Age of the oldest audit event that is not sealed, 0 when there is none. The same in every process: take the maximum.',
    registers,
  });
  const unbuiltCards = new Gauge({
    name: 'vouch_context_card_oldest_change_age_seconds',
    help: 'Age of the oldest change that is not built into cards, profiles and summaries of sessions, 0 when there is none. The same in every process: take the maximum.',
    registers,
  });
  const errors = new Counter({
    name: 'vouch_scrape_errors_total',
    help: 'Readings for a scrape that failed; what they would have shown is absent.',
    labelNames: ['source'],
    registers,
  });
  errors.inc({ source: 'queues' }, 0);
  const showLag = createLagMetrics(registry);

  return keptForScrapes(now, async () => {
    const reading = await bounded(() => readQueues(health));
    depth.reset();
    age.reset();
    unsealed.remove();
    unbuiltCards.remove();
    showLag(reading.ok ? reading.value.lag : null);
    if (!reading.ok) {
      errors.inc({ source: 'queues' });
      return;
    }
    unsealed.set(reading.value.unsealedSeconds);
    unbuiltCards.set(reading.value.unbuiltContextCardSeconds);
    for (const queue of QUEUES) {
      for (const state of QUEUE_STATES) {
        const entries = reading.value.entries.filter(
          (entry) => entry.queue === queue && entry.state === state,
        );
        depth.set(
          { queue, state },
          entries.reduce((sum, { total }) => sum + total, 0),
        );
        age.set({ queue, state }, Math.max(0, ...entries.map((e) => e.oldest_age_seconds)));
      }
    }
  });
}
