/** The activities of the lane `reconciler`, on the container's pool, client and doorbell. */
import type { Client } from '@temporalio/client';
import type { ReconcilerActivities } from '../../activities/contracts.ts';
import { createReconcilerActivities } from '../../activities/reconciler.ts';
import { createReconcile } from '../../engine/reconcile/reconcile.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { ReconcileStore } from '../../stores/postgres/reconcile.store.ts';
import { createInAccount } from '../../stores/postgres/in-account.ts';
import type { Doorbell } from '../actors/doorbell.ts';
import { createWorkflowStates } from '../actors/run-states.ts';

export interface ReconcilerDependencies {
  readonly db: Queryable;
  readonly client: Client;
  readonly doorbell: Pick<Doorbell, 'ring'>;
}

export function buildReconcilerActivities(
  dependencies: ReconcilerDependencies,
): ReconcilerActivities {
  const { db, client, doorbell } = dependencies;
  return createReconcilerActivities({
    reconcile: createReconcile({
      store: new ReconcileStore(db),
      workflowState: createWorkflowStates(client),
      ring: (mailbox) => doorbell.ring(mailbox),
    }),
    inAccount: createInAccount(db),
  });
}
