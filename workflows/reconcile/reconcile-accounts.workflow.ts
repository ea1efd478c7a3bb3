/** The hourly pass of the reconcile, account by account: `reconcile-hourly-<time>`. */
import {
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReconcilerActivities } from '../../activities/contracts.ts';
import { counters } from '../../domain/workflow-history/safe-text.ts';
import { addCounts, NOTHING_RECONCILED } from '../../domain/pipeline/reconcile.ts';
import { reconcilerOptions } from '../lanes.ts';
import { walkTotals, type CarriedWalk, type WalkTotals } from './messages.ts';

const NOTHING: WalkTotals = { ...NOTHING_RECONCILED, accounts: 0, failed: 0, purged: 0 };

/** The work's answer, or null when it was given up: one account must not end the walk over the others. */
async function unlessGivenUp<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isCancellation(error)) throw error;
    return null;
  }
}

export async function reconcileAccounts(carried: CarriedWalk | null = null): Promise<WalkTotals> {
  const { accountsAfter, forgetExpiredKeys, reconcileAccount } =
    proxyActivities<ReconcilerActivities>(reconcilerOptions());
  let totals = carried?.totals ?? NOTHING;
  let afterId = carried?.afterId ?? null;
  setHandler(walkTotals, () => totals);
  const record = (change: Partial<WalkTotals>): void => {
    totals = { ...totals, ...change };
    setCurrentDetails(counters({ ...totals }));
  };

  if (carried === null) {
    const forgotten = await unlessGivenUp(() => forgetExpiredKeys());
    record(forgotten === null ? { failed: totals.failed + 1 } : forgotten);
  }
  for (;;) {
    const { accountIds } = await accountsAfter({ afterId });
    if (accountIds.length === 0) return totals;
    for (const accountId of accountIds) {
      const counts = await unlessGivenUp(() => reconcileAccount({ accountId, runId: null }));
      record({
        ...addCounts(totals, counts ?? NOTHING_RECONCILED),
        accounts: totals.accounts + 1,
        failed: totals.failed + (counts === null ? 1 : 0),
      });
      afterId = accountId;
    }
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof reconcileAccounts>({ afterId, totals });
    }
  }
}
