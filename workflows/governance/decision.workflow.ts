/**
 * Waits with a decision until nobody can take it back any more: `decision/<run>`. The rows decide what is due, so taking it back
 * needs no signal. A run that was cancelled or lost is started again by the sweep, and goes on.
 */
import { proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { GovernanceActivities } from '../../activities/contracts.ts';
import type { RunRef } from '../../domain/pipeline/run-kinds.ts';
import { counters } from '../../domain/workflow-history/safe-text.ts';
import { governanceOptions } from '../lanes.ts';

export async function decision({ accountId, runId }: RunRef): Promise<void> {
  const { judgeDecision } = proxyActivities<GovernanceActivities>(governanceOptions());
  for (;;) {
    const { nextDueInMs } = await judgeDecision({ accountId, runId });
    if (nextDueInMs === null) break;
    await sleep(nextDueInMs);
  }
  setCurrentDetails(counters({ ended: 1 }));
}
