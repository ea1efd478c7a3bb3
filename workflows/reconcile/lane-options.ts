/** How passes of the lane `reconciler` are called. */
import { workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import { laneQueue, queuePrefixOf } from '../../domain/actors/names.ts';

/**
 * A pass is given up at the third failure: the next hour brings another, and a pass that cannot end must not
 * hold back those of other accounts.
 */
export function reconcilerOptions(): ActivityOptions {
  return {
    taskQueue: laneQueue(queuePrefixOf(workflowInfo().taskQueue), 'reconciler'),
    startToCloseTimeout: '5m',
    heartbeatTimeout: '30s',
    retry: { initialInterval: '5s', backoffCoefficient: 4, maximumAttempts: 3 },
    cancellationType: 'TRY_CANCEL',
  };
}
