/** How activities of a lane are called: on the lane's own queue, beside the workflow queue. */
import { workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import { laneQueue, queuePrefixOf, type Lane } from '../../domain/actors/names.ts';

/**
 * Options of a drain: retried without end, because only crashes and absent servers fail it, and soon, because the
 * work behind it waits for their return. The heartbeat finds a dead worker; the long limit is for batches that wait
 * for a slow model, and the drain ends before it.
 */
export function drainOptions(lane: Lane): ActivityOptions {
  return {
    taskQueue: laneQueue(queuePrefixOf(workflowInfo().taskQueue), lane),
    startToCloseTimeout: lane === 'ingest' ? '50m' : '6m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '5s' },
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  };
}
