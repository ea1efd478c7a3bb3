/** How the activities of each lane are called: on the lane's own queue, beside the workflow queue. */
import { workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import { laneQueue, queuePrefixOf, type Lane } from '../domain/actors/names.ts';

const queueOf = (lane: Lane): string => laneQueue(queuePrefixOf(workflowInfo().taskQueue), lane);

/**
 * Options of a drain. It is retried without end, because only crashes and absent servers fail it, and soon, because
 * the waiting work goes on when they return. A missing heartbeat shows a dead worker. The long limit is for batches
 * that wait for a slow model, and the drain ends before it.
 */
export function drainOptions(lane: Lane): ActivityOptions {
  return {
    taskQueue: queueOf(lane),
    startToCloseTimeout: lane === 'ingest' ? '50m' : '6m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '5s' },
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  };
}

/** A server that is away comes back, so steps are retried without end; the activity says which failures are final. */
export function documentOptions(): ActivityOptions {
  return {
    taskQueue: queueOf('documents'),
    startToCloseTimeout: '5m',
    heartbeatTimeout: '30s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
    cancellationType: 'TRY_CANCEL',
  };
}

/**
 * A step is retried without end; the activity says which failures are final. A missing heartbeat shows a dead worker,
 * so that a step which died with its worker does not hold its run up until the long limit.
 */
export function governanceOptions(): ActivityOptions {
  return {
    taskQueue: queueOf('governance'),
    startToCloseTimeout: '2m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '60s' },
    cancellationType: 'TRY_CANCEL',
  };
}

/** As in `governanceOptions`, for steps that ask every index about thousands of units. */
export function erasureOptions(): ActivityOptions {
  return { ...governanceOptions(), startToCloseTimeout: '30m' };
}

/**
 * A pass is given up at the third failure: the next hour brings another, and a pass that cannot end must not hold
 * back the passes of other accounts.
 */
export function reconcilerOptions(): ActivityOptions {
  return {
    taskQueue: queueOf('reconciler'),
    startToCloseTimeout: '5m',
    heartbeatTimeout: '30s',
    retry: { initialInterval: '5s', backoffCoefficient: 4, maximumAttempts: 3 },
    cancellationType: 'TRY_CANCEL',
  };
}

/**
 * A turn is tried twice: the next minute brings another, and an account whose turns fail must not hold back others. A
 * dead worker is noticed at once.
 */
export function lifecycleOptions(): ActivityOptions {
  return {
    taskQueue: queueOf('lifecycle'),
    startToCloseTimeout: '2m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', maximumAttempts: 2 },
    cancellationType: 'TRY_CANCEL',
  };
}
