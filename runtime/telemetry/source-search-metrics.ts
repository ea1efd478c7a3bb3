/** Source searches: how long they took, by mode and status, and why they failed or had less than they should. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { SourceSearchObserver } from '../../engine/source-search/observer.ts';
import { FAST_SECONDS, seconds } from './buckets.ts';

export function createSourceSearchMetrics(registry: Registry): SourceSearchObserver {
  const registers = [registry];
  const searches = new Histogram({
    name: 'vouch_source_search_duration_seconds',
    help: 'Time of a search over messages, by the status of its answer.',
    labelNames: ['mode', 'status'],
    buckets: [...FAST_SECONDS],
    registers,
  });
  const failures = new Counter({
    name: 'vouch_source_search_failures_total',
    help: 'Searches over messages that failed or answered with less, by the class of the failure.',
    labelNames: ['mode', 'error_class'],
    registers,
  });
  return {
    answered({ durationMs, failureClass, mode, status }) {
      searches.observe({ mode, status }, seconds(durationMs));
      if (failureClass !== null) failures.inc({ mode, error_class: failureClass });
    },
  };
}
