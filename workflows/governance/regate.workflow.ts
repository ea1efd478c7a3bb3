/** Runs the gates again over the waiting statements of an account after its rules changed: `regate/<run>`. */
import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { GovernanceActivities } from '../../activities/contracts.ts';
import { counters } from '../../domain/workflow-history/safe-text.ts';
import { governanceOptions } from '../lanes.ts';
import { regateTotals, type RegateStart, type RegateTotals } from './messages.ts';
import { withRunEndings } from '../runs.ts';

export async function regate(start: RegateStart): Promise<RegateTotals> {
  const { accountId, runId, carried } = start;
  const { regatePage } = proxyActivities<GovernanceActivities>(governanceOptions());
  let totals = carried?.totals ?? { rows: 0, placed: 0 };
  setHandler(regateTotals, () => totals);

  let afterId = carried?.afterId ?? null;
  do {
    const page = await withRunEndings(start, () => regatePage({ accountId, runId, afterId }));
    totals = { rows: totals.rows + page.rows, placed: totals.placed + page.placed };
    setCurrentDetails(counters({ ...totals }));
    afterId = page.nextAfterId;
    if (afterId !== null && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof regate>({ accountId, runId, carried: { afterId, totals } });
    }
  } while (afterId !== null);
  return totals;
}
