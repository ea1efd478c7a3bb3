/**
 * Waits with a contested statement for a curator: `contest/<run>`. The rows decide what is due: the activity reads them
 * and returns the time until something is due. A decision meanwhile needs no signal, because the next look finds it.
 */
import { proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { GovernanceActivities } from '../../activities/contracts.ts';
import { counters } from '../../domain/workflow-history/safe-text.ts';
import type { RunRef } from '../../domain/pipeline/run-kinds.ts';
import { governanceOptions } from '../lanes.ts';
import { withRunEndings } from '../runs.ts';

export async function contest(start: RunRef): Promise<void> {
  const { judgeContest } = proxyActivities<GovernanceActivities>(governanceOptions());
  await withRunEndings(start, async () => {
    for (;;) {
      const { nextDueInMs } = await judgeContest({
        accountId: start.accountId,
        runId: start.runId,
      });
      if (nextDueInMs === null) break;
      await sleep(nextDueInMs);
    }
    setCurrentDetails(counters({ ended: 1 }));
  });
}
