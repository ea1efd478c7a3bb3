/** Lane `reconciler`: the passes of the reconcile, and turns of the retention. Each may be repeated; a missing heartbeat shows a dead worker. */
import { cancellationSignal } from '@temporalio/activity';
import { NOTHING_RECONCILED } from '../domain/pipeline/reconcile.ts';
import type { Reconcile } from '../engine/reconcile/reconcile.ts';
import type { OnPruned, Retention } from '../engine/retention/retention.ts';
import type { InAccount } from '../stores/postgres/in-account.ts';
import { alive } from './alive.ts';
import type { ReconcilerActivities } from './contracts.ts';

export interface ReconcilerActivityOptions {
  readonly reconcile: Reconcile;
  readonly inAccount: InAccount;
  readonly retention: Retention;
  readonly onPruned: OnPruned;
  /** A turn of the retention ends between two pages when it is aborted. */
  readonly stopping: AbortSignal;
}

/** The activities of the lane. */
export function createReconcilerActivities(
  options: ReconcilerActivityOptions,
): ReconcilerActivities {
  const { inAccount, onPruned, reconcile, retention, stopping } = options;
  return {
    reconcileAccount: ({ accountId, runId }) =>
      alive(async () => {
        const signal = cancellationSignal();
        if (runId === null) return reconcile.account(accountId, signal);
        // A run that has ended meanwhile, by a cancel for instance, does nothing more.
        const hasBegun = await inAccount(accountId, ({ runs }) => runs.begin(runId, true));
        if (!hasBegun) return NOTHING_RECONCILED;
        const counts = await reconcile.account(accountId, signal);
        await inAccount(accountId, ({ runs }) => runs.complete(runId));
        return counts;
      }),
    accountsAfter: async ({ afterId }) => ({ accountIds: await reconcile.accountsAfter(afterId) }),
    forgetExpiredKeys: () =>
      alive(async () => ({ purged: await reconcile.forgetIdempotencyKeys(cancellationSignal()) })),
    pruneAccount: ({ accountId, place }) =>
      alive(() => {
        const signal = AbortSignal.any([stopping, cancellationSignal()]);
        return retention.turn({ accountId, place, signal, onPruned });
      }),
    completeRetention: ({ failed }) => alive(() => retention.completePass(failed)),
  };
}
