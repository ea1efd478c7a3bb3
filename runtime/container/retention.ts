/** Builds the retention from the settings. */
import type { RetentionPolicy } from '../../domain/retention/policy.ts';
import type { Log } from '../../engine/logging/logger.ts';
import { errorFields } from '../../engine/logging/logger.ts';
import { createRetention, type Retention } from '../../engine/retention/retention.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { RetentionStore } from '../../stores/postgres/retention/retention.store.ts';
import type { Settings } from '../config/index.ts';

/** Days that rows are kept, as the settings have it. */
function retentionPolicy(settings: Settings): RetentionPolicy {
  return {
    runs: settings.SERVICE_RETENTION_RUNS_DAYS,
    usage: settings.SERVICE_RETENTION_USAGE_DAYS,
    decisions: settings.SERVICE_RETENTION_DECISIONS_DAYS,
    tokens: settings.SERVICE_RETENTION_TOKENS_DAYS,
  };
}

/** `log` is told of a kind whose page failed. */
export function buildRetention(db: Queryable, settings: Settings, log?: Log): Retention {
  return createRetention({
    store: new RetentionStore(db),
    policy: retentionPolicy(settings),
    report: (kind, error) => log?.warn('retention.page_failed', { kind, ...errorFields(error) }),
  });
}
