/** Lane `lifecycle`: turns of sweeps. Each may be repeated; a missing heartbeat shows a dead worker. */
import { cancellationSignal } from '@temporalio/activity';
import type { Sweeps } from '../engine/lifecycle/sweeps.ts';
import { alive } from './alive.ts';
import type { LifecycleActivities } from './contracts.ts';

/** The activities of the lane. A turn ends between two pages when `stopping` is aborted. */
export function createLifecycleActivities(
  sweeps: Sweeps,
  stopping: AbortSignal,
): LifecycleActivities {
  return {
    accountsDue: ({ afterId }) => alive(() => sweeps.accountsDue(afterId)),
    sweepAccount: ({ accountId }) =>
      alive(() => sweeps.turn(accountId, AbortSignal.any([stopping, cancellationSignal()]))),
    completeSweep: ({ failed }) => alive(() => sweeps.completePass(failed)),
  };
}
