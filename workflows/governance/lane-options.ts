/** How steps of the lane `governance` are called. */
import { workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import { laneQueue, queuePrefixOf } from '../../domain/actors/names.ts';

/**
 * A step is one short transaction. It is retried without end, for a server that is away comes back; which
 * failures are final the activity says itself.
 */
export function governanceOptions(): ActivityOptions {
  return {
    taskQueue: laneQueue(queuePrefixOf(workflowInfo().taskQueue), 'governance'),
    startToCloseTimeout: '2m',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
    cancellationType: 'TRY_CANCEL',
  };
}
