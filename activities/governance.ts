/** Lane `governance`: short steps of governed flows, each one transaction that may be repeated. */
import type { Erasure } from '../engine/erasure/erasure.ts';
import type { Contests } from '../engine/knowledge/contests.ts';
import type { Regate } from '../engine/knowledge/regate.ts';
import type { InAccount } from '../stores/postgres/in-account.ts';
import type { GovernanceActivities } from './contracts.ts';
import { alive } from './alive.ts';
import { unlessHopeless } from './failure.ts';

export interface GovernanceActivityOptions {
  readonly contests: Contests;
  readonly erasure: Erasure;
  readonly regate: Regate;
  readonly inAccount: InAccount;
}

/** The activities of the lane. */
export function createGovernanceActivities(
  options: GovernanceActivityOptions,
): GovernanceActivities {
  const { contests, erasure, inAccount, regate } = options;
  return {
    judgeContest: (run) => unlessHopeless(() => contests.judge(run)),
    eraseStep: (input) => alive(() => unlessHopeless(() => erasure.step(input))),
    verifyErasure: (run) => alive(() => unlessHopeless(() => erasure.verify(run))),
    completeErasure: (run) => alive(() => unlessHopeless(() => erasure.complete(run))),
    regatePage: (input) => unlessHopeless(() => regate.page(input)),
    cancelRun: ({ accountId, runId }) =>
      inAccount(accountId, ({ runs }) => runs.end(runId, 'cancelled')),
    failRun: ({ accountId, runId, errorClass }) =>
      inAccount(accountId, ({ runs }) => runs.end(runId, 'failed', errorClass)),
  };
}
