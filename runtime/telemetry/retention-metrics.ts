/** Metrics of the retention: rows that were pruned, and how long ago a pass was complete. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { RETENTION_KINDS } from '../../domain/retention/policy.ts';
import type { OnPruned } from '../../engine/retention/retention.ts';
import { bounded } from '../../operations/health/bounded.ts';
import type { ReadinessSources } from '../../operations/environment/readiness-sources.ts';
import { keptForScrapes } from './kept-reading.ts';

export type LastRetentionOf = Pick<ReadinessSources, 'lastRetention'>;

export function createRetentionMetrics(registry: Registry): OnPruned {
  const rows = new Counter({
    name: 'vouch_retention_rows_total',
    help: 'Rows that the retention deleted because their time was over, by what they were.',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const kind of RETENTION_KINDS) rows.inc({ kind }, 0);
  return (kind, pruned) => rows.inc({ kind }, pruned);
}

/**
 * While Postgres does not answer the gauge is absent, never 0. The result must be called and awaited before the registry
 * is read. `now` is in monotonic milliseconds.
 */
export function watchRetention(
  registry: Registry,
  health: LastRetentionOf,
  now: () => number = () => performance.now(),
): () => Promise<void> {
  const age = new Gauge({
    name: 'vouch_retention_age_seconds',
    help: 'Time since a pass of the retention was complete, before the first since the installation. The same in every process: take the maximum.',
    registers: [registry],
  });
  return keptForScrapes(now, async () => {
    const last = await bounded(() => health.lastRetention());
    if (last.ok) age.set(last.value.waitedSeconds);
    else age.remove();
  });
}
