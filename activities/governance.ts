/** Lane `governance`: short steps of governed flows, each one transaction that may be repeated. */
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { isPassing } from '../domain/actors/run-failure.ts';
import type { Regate } from '../engine/knowledge/regate.ts';
import type { InAccount } from '../stores/postgres/in-account.ts';
import type { GovernanceActivities } from './contracts.ts';
import { failureCode } from './failure.ts';

export interface GovernanceActivityOptions {
  readonly regate: Regate;
  readonly inAccount: InAccount;
}

/** At this attempt, some seconds after the first, the activity gives up a failure that waiting does not mend. */
const GIVE_UP_AT_ATTEMPT = 4;

/** The workflow retries the activity without end, so the activity itself says which failures are final. */
async function unlessHopeless<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = failureCode(error);
    if (isPassing(code) || activityInfo().attempt < GIVE_UP_AT_ATTEMPT) throw error;
    throw ApplicationFailure.nonRetryable(code, code);
  }
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
