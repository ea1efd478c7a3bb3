/** One pass of the reconcile over the account that asked for it: `reconcile/<run>`. */
import { proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { ReconcilerActivities } from '../../activities/contracts.ts';
import type { RunRef } from '../../domain/pipeline/run-kinds.ts';
import { counters } from '../../domain/workflow-history/safe-text.ts';
import { NOTHING_RECONCILED, type ReconcileCounts } from '../../domain/pipeline/reconcile.ts';
import { withRunEndings } from '../runs.ts';
import { reconcilerOptions } from '../lanes.ts';
import { reconcileTotals } from './messages.ts';

export async function reconcile(run: RunRef): Promise<ReconcileCounts> {
  const { reconcileAccount } = proxyActivities<ReconcilerActivities>(reconcilerOptions());
  let totals = NOTHING_RECONCILED;
  setHandler(reconcileTotals, () => totals);

  totals = await withRunEndings(run, () => reconcileAccount(run));
  setCurrentDetails(counters({ ...totals }));
  return totals;
}
