/** How steps of the lane `documents` are called. */
import { workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import { laneQueue, queuePrefixOf } from '../../domain/actors/names.ts';

/** A server that is away comes back, so steps are retried without end; what is final the activity says. */
export function documentOptions(): ActivityOptions {
  return {
    taskQueue: laneQueue(queuePrefixOf(workflowInfo().taskQueue), 'documents'),
    startToCloseTimeout: '5m',
    heartbeatTimeout: '30s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
    cancellationType: 'TRY_CANCEL',
  };
}
