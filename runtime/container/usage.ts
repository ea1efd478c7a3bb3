/** How a process counts what accounts use, and keeps the sums of it. */
import { createUsageCounts } from '../../engine/usage/counts.ts';
import { createUsageUpkeep } from '../../engine/usage/upkeep.ts';
import { UsageRollupStore } from '../../stores/postgres/models/usage-rollup.store.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';

export function buildUsage(db: Queryable, log: Log) {
  const counts = createUsageCounts();
  return {
    counts,
    usage: createUsageUpkeep({
      store: new UsageRollupStore(db),
      counts,
      onFailure: (error) => log.warn('usage.upkeep_failed', errorFields(error)),
    }),
  };
}
