/** The entry of the workflow bundle: every workflow type, under the name that histories keep. */
export { readDocument } from './documents/document.workflow.ts';
export { contest } from './governance/contest.workflow.ts';
export { decision } from './governance/decision.workflow.ts';
export { erasure } from './governance/erasure.workflow.ts';
export { forgetting } from './governance/forgetting.workflow.ts';
export { regate } from './governance/regate.workflow.ts';
export { ingestActor } from './ingest/ingest-actor.workflow.ts';
export { sweepLifecycle } from './lifecycle/sweep-lifecycle.workflow.ts';
export { importRebuild } from './projection/import-rebuild.workflow.ts';
export { projectionActor } from './projection/projection-actor.workflow.ts';
export { reconcileAccounts } from './reconcile/reconcile-accounts.workflow.ts';
export { reconcile } from './reconcile/reconcile.workflow.ts';
export { retainAccounts } from './retention/retain-accounts.workflow.ts';
