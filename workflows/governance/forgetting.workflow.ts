/** Serves the texts of an account by what is to be forgotten now: `forgetting/<run>`. */
import {
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { GovernanceActivities } from '../../activities/contracts.ts';
import type { ForgettingPageReport, PlaceOfPass } from '../../domain/forgetting/pass.ts';
import { counters } from '../../domain/workflow-history/safe-text.ts';
import { governanceOptions } from '../lanes.ts';
import { withRunEndings } from '../runs.ts';
import { forgettingTotals, type ForgettingStart, type ForgettingTotals } from './messages.ts';

export async function forgetting(start: ForgettingStart): Promise<ForgettingTotals> {
  const { accountId, runId, carried } = start;
  const { forgettingPage } = proxyActivities<GovernanceActivities>(governanceOptions());
  let totals = carried?.totals ?? { rows: 0, changed: 0 };
  setHandler(forgettingTotals, () => totals);

  let next: PlaceOfPass | null = carried?.next ?? { unit: 'message', afterId: null };
  while (next !== null) {
    const place: PlaceOfPass = next;
    const page: ForgettingPageReport = await withRunEndings(start, () =>
      forgettingPage({ accountId, runId, ...place }),
    );
    totals = { rows: totals.rows + page.rows, changed: totals.changed + page.changed };
    setCurrentDetails(counters({ ...totals }));
    next = page.next;
    if (next !== null && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof forgetting>({ accountId, runId, carried: { next, totals } });
    }
  }
  return totals;
}
