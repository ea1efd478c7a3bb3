/** Lane `governance`: short steps of governed flows, each one transaction that may be repeated. */
import type { Regate } from '../engine/knowledge/regate.ts';
import type { InAccount } from '../stores/postgres/in-account.ts';
import type { GovernanceActivities } from './contracts.ts';
import { unlessHopeless } from './failure.ts';

export interface GovernanceActivityOptions {
  readonly regate: Regate;
  readonly inAccount: InAccount;
}

/** The activities of the lane. */
export function createGovernanceActivities(
  options: GovernanceActivityOptions,
): GovernanceActivities {
  const { inAccount, regate } = options;
  return {
    regatePage: (input) => unlessHopeless(() => regate.page(input)),
    cancelRun: ({ accountId, runId }) =>
      inAccount(accountId, ({ runs }) => runs.end(runId, 'cancelled')),
    failRun: ({ accountId, runId, errorClass }) =>
      inAccount(accountId, ({ runs }) => runs.end(runId, 'failed', errorClass)),
  };
}
