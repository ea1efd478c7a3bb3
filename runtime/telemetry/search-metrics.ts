/** Searches: how long each stage and each part took, and the outcomes of the parts. */
import { Counter, Histogram, type Registry } from 'prom-client';
import { isDegrading } from '../../domain/retrieval/outcomes.ts';
import type { SearchObserver } from '../../engine/retrieval/observer.ts';
import { FAST_SECONDS, seconds } from './buckets.ts';

export function createSearchMetrics(registry: Registry): SearchObserver {
  const registers = [registry];
  const buckets = [...FAST_SECONDS];
  const stages = new Histogram({
    name: 'vouch_search_stage_duration_seconds',
    help: 'Time of one stage of a search.',
    labelNames: ['stage'],
    buckets,
    registers,
  });
  const searches = new Histogram({
    name: 'vouch_search_duration_seconds',
    help: 'Time of a whole search; degraded says that a part was dropped or answered with less.',
    labelNames: ['profile', 'degraded'],
    buckets,
    registers,
  });
  const parts = new Histogram({
    name: 'vouch_search_component_duration_seconds',
    help: 'Time of one strategy, of the filter probe or of the reranker, when it was run.',
    labelNames: ['component'],
    buckets,
    registers,
  });
  const outcomes = new Counter({
    name: 'vouch_search_component_outcomes_total',
    help: 'What became of the parts of searches; reason is none for a part that did all it should.',
    labelNames: ['component', 'status', 'reason'],
    registers,
  });
  return {
    stage: (stage, durationMs) => stages.observe({ stage }, seconds(durationMs)),
    answered(search) {
      const degraded = String(search.outcomes.some(isDegrading));
      searches.observe({ profile: search.profile, degraded }, seconds(search.durationMs));
      for (const { component, status, reasonClass, elapsedMs } of search.outcomes) {
        outcomes.inc({ component, status, reason: reasonClass ?? 'none' });
        if (status === 'completed') parts.observe({ component }, seconds(elapsedMs));
      }
    },
  };
}
