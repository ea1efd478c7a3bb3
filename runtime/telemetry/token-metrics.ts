/** How near the accounts are to their daily token limits, read from Postgres at a scrape. Absent without limits. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { MODEL_ROLES } from '../../domain/models/roles.ts';
import type { ModelObserver } from '../../engine/models/observer.ts';
import { bounded } from '../../operations/health/bounded.ts';
import type { TokenShare } from '../../domain/models/token-limits.ts';
import { wordOf } from './buckets.ts';
import { keptForScrapes } from './kept-reading.ts';

/** The result must be called and awaited before the registry is read. `now` is in monotonic milliseconds. */
export function watchTokenShares(
  registry: Registry,
  read: () => Promise<readonly TokenShare[]>,
  now: () => number = () => performance.now(),
): () => Promise<void> {
  const shares = new Gauge({
    name: 'vouch_token_budget_share',
    help: 'The highest share, 1 for all of it, of a daily token limit that an account has used or reserved today; role is * for all roles together. Without limits it is absent. The same in every process: take the maximum.',
    labelNames: ['role', 'metric'],
    registers: [registry],
  });
  return keptForScrapes(now, async () => {
    const reading = await bounded(read);
    shares.reset();
    if (!reading.ok) return;
    for (const { role, metric, share } of reading.value) {
      if (share !== null) shares.set({ role, metric }, share);
    }
  });
}

/** Counts the calls that a limit or a budget refused. */
export function createRefusalMetrics(registry: Registry): ModelObserver['refused'] {
  const refused = new Counter({
    name: 'vouch_model_calls_refused_total',
    help: 'Calls to models that were not made, because a daily token limit or an extraction budget leaves no room.',
    labelNames: ['role', 'class'],
    registers: [registry],
  });
  return ({ role, errorClass }) => {
    refused.inc({ role: wordOf(MODEL_ROLES, role), class: errorClass });
  };
}
