/**
 * The sweep of all accounts: `lifecycle-sweep-<time>`. It walks over the accounts in which something is due and gives each
 * one turn, and walks again while an account has more. A walk after which nothing is due completes the sweep.
 */
import {
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { LifecycleActivities } from '../../activities/contracts.ts';
import { counters } from '../../domain/workflow-history/safe-text.ts';
import { lifecycleOptions } from '../lanes.ts';
import { sweepTotals, type CarriedSweep, type SweepTotals } from './messages.ts';

/** Accounts whose turns go on side by side: one that is slow does not hold up the others. */
const SIDE_BY_SIDE = 4;
const NOTHING: SweepTotals = { accounts: 0, failed: 0, rows: 0, aside: 0 };

export async function sweepLifecycle(carried: CarriedSweep | null = null): Promise<SweepTotals> {
  const { accountsDue, completeSweep, sweepAccount } =
    proxyActivities<LifecycleActivities>(lifecycleOptions());
  let totals = carried?.totals ?? NOTHING;
  let afterId = carried?.afterId ?? null;
  let more = carried?.more ?? false;
  setHandler(sweepTotals, () => totals);
  const record = (change: Partial<SweepTotals>): void => {
    totals = { ...totals, ...change };
    setCurrentDetails(counters({ ...totals }));
  };

  /** Gives the account its turn; one whose turn failed comes again with the next sweep. */
  const sweep = async (accountId: string): Promise<void> => {
    try {
      const turn = await sweepAccount({ accountId });
      more ||= turn.more;
      record({ rows: totals.rows + turn.rows, aside: totals.aside + turn.aside });
    } catch (error) {
      if (isCancellation(error)) throw error;
      record({ failed: totals.failed + 1 });
    }
    record({ accounts: totals.accounts + 1 });
  };

  for (;;) {
    const { accountIds, nextAfterId } = await accountsDue({ afterId });
    const waiting = [...accountIds];
    const row = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await sweep(next);
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, row));
    afterId = nextAfterId;
    if (afterId === null) {
      if (!more) break;
      more = false;
      record({ failed: 0 });
    }
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof sweepLifecycle>({ afterId, more, totals });
    }
  }
  await completeSweep({ failed: totals.failed });
  return totals;
}
