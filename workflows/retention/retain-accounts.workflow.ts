/**
 * The daily retention, account by account: `retention-daily-<time>`. An account gets turns until nothing of it is due; one
 * whose turn is given up does not hold up the others.
 */
import {
  ContinueAsNew,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReconcilerActivities } from '../../activities/contracts.ts';
import type { RetentionPlace } from '../../domain/retention/policy.ts';
import { counters } from '../../domain/workflow-history/safe-text.ts';
import { reconcilerOptions } from '../lanes.ts';
import { retentionTotals, type CarriedRetention, type RetentionTotals } from './messages.ts';

const NOTHING: RetentionTotals = { accounts: 0, failed: 0, rows: 0 };

/** Whether the error ends the pass: one account that fails must not. */
const endsThePass = (error: unknown): boolean =>
  isCancellation(error) || error instanceof ContinueAsNew;

export async function retainAccounts(
  carried: CarriedRetention | null = null,
): Promise<RetentionTotals> {
  const { accountsAfter, completeRetention, pruneAccount } =
    proxyActivities<ReconcilerActivities>(reconcilerOptions());
  let totals = carried?.totals ?? NOTHING;
  let afterId = carried?.afterId ?? null;
  let place: RetentionPlace | null = carried?.place ?? null;
  setHandler(retentionTotals, () => totals);
  const record = (change: Partial<RetentionTotals>): void => {
    totals = { ...totals, ...change };
    setCurrentDetails(counters({ ...totals }));
  };
  const carryOn = async (): Promise<void> => {
    if (!workflowInfo().continueAsNewSuggested) return;
    await continueAsNew<typeof retainAccounts>({ afterId, place, totals });
  };

  /** Gives the account turns until it is done; true when all of it was gone over. */
  const prune = async (accountId: string): Promise<boolean> => {
    let whole = true;
    do {
      const turn = await pruneAccount({ accountId, place });
      whole &&= turn.failed === 0;
      place = turn.next;
      record({ rows: totals.rows + turn.rows });
      if (place !== null) await carryOn();
    } while (place !== null);
    return whole;
  };

  for (;;) {
    const { accountIds } = await accountsAfter({ afterId });
    if (accountIds.length === 0) break;
    for (const accountId of accountIds) {
      let isWhole = false;
      try {
        isWhole = await prune(accountId);
      } catch (error) {
        if (endsThePass(error)) throw error;
      }
      place = null;
      afterId = accountId;
      record({ accounts: totals.accounts + 1, failed: totals.failed + (isWhole ? 0 : 1) });
      await carryOn();
    }
  }
  await completeRetention({ failed: totals.failed });
  return totals;
}
