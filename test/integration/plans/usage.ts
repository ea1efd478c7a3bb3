/** What accounts used: read for administrators, folded and pruned by processes. */
import { utcDay } from '../../../domain/models/costs.ts';
import { UsageRollupStore } from '../../../stores/postgres/models/usage-rollup.store.ts';
import { RetentionStore } from '../../../stores/postgres/retention/retention.store.ts';
import { ACCOUNT, inLarge, NOW, type Scenario } from './stage.ts';

const DAY_MS = 86_400_000;

export const USAGE: readonly Scenario[] = [
  {
    name: 'costs over four hundred days, and a month of them by scope',
    run: (stage) =>
      inLarge(stage, async ({ costs }) => {
        await costs.days();
        await costs.activity();
        await costs.widths();
        await costs.attempts(new Date(Date.parse(NOW) - DAY_MS));
        await costs.terminalAnchors();
        const range = { from: utcDay(new Date(NOW), -29), to: utcDay(new Date(NOW)) };
        const rates = { provider: 'p', model: 'm', input: 1, output: 1, embedding: 1, reranker: 1 };
        await costs.byScope(range, [rates], 501);
      }),
  },
  {
    name: 'the roll-up of what accounts used: counts of a process, entries, days that leave the window',
    async run(stage) {
      const store = stage.called.noting(
        'models/usage-rollup.store',
        new UsageRollupStore(stage.scene.pool),
      );
      const call = { role: 'embedder', provider: 'deterministic', model: 'm' } as const;
      const numbers = { calls: 3, errors: 0, unmetered: 0, durationMs: 5 };
      await store.enter(ACCOUNT, { requests: 5, calls: [{ ...call, ...numbers }] });
      await store.waiting(null, 100);
      await store.fold(ACCOUNT);
      const retention = new RetentionStore(stage.scene.pool);
      for (const kind of ['usage_days', 'request_days'] as const) {
        const place = { kind, at: null, afterId: null };
        await retention.page({ accountId: ACCOUNT, place, days: 390, limit: 10_000 });
      }
    },
  },
];
