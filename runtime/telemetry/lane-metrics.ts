/** Metrics of the workers: drains by lane, their units, and activities that failed. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { DrainObserver } from '../../activities/observer.ts';
import { UNIT_OUTCOMES } from '../../domain/actors/unit-counts.ts';
import { FAILURE_CODES } from '../../domain/workflow-history/vocabulary.ts';
import type { OnActivityFailure } from '../temporal/activity-interceptor.ts';
import { growth, seconds, SLOW_SECONDS, wordOf } from './buckets.ts';

const CODES = [...FAILURE_CODES];

export interface LaneMetrics {
  readonly drains: DrainObserver;
  readonly activityFailed: OnActivityFailure;
}

export function createLaneMetrics(registry: Registry): LaneMetrics {
  const registers = [registry];
  const drains = new Counter({
    name: 'vouch_drains_total',
    help: 'Drains of mailboxes that ended, by reason.',
    labelNames: ['lane', 'end'],
    registers,
  });
  const units = new Counter({
    name: 'vouch_drain_units_total',
    help: 'Units of work of drains, by what became of them.',
    labelNames: ['lane', 'outcome'],
    registers,
  });
  const batches = new Histogram({
    name: 'vouch_drain_batch_duration_seconds',
    help: 'Time of one batch of a drain.',
    labelNames: ['lane'],
    buckets: [...SLOW_SECONDS],
    registers,
  });
  const failures = new Counter({
    name: 'vouch_activity_failures_total',
    help: 'Activities that failed, by lane and code; Temporal tries most of them again.',
    labelNames: ['lane', 'code'],
    registers,
  });
  return {
    drains: {
      batch(lane, counts, durationMs) {
        batches.observe({ lane }, seconds(durationMs));
        for (const outcome of UNIT_OUTCOMES) units.inc({ lane, outcome }, growth(counts[outcome]));
      },
      ended: (lane, end) => drains.inc({ lane, end }),
    },
    activityFailed: (lane, code) => failures.inc({ lane, code: wordOf(CODES, code) }),
  };
}
