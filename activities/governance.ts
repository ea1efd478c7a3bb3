/** Lane `governance`: short steps of governed flows, each one transaction that may be repeated. */
import type { ScheduledDecisions } from '../engine/desk/scheduled.ts';
import type { Erasure } from '../engine/erasure/erasure.ts';
import type { ForgettingPass } from '../engine/forgetting/pass.ts';
import type { ImportRebuild } from '../engine/indexes/import-rebuild.ts';
import type { Contests } from '../engine/knowledge/contests.ts';
import type { Regate } from '../engine/knowledge/regate.ts';
import type { InAccount } from '../stores/postgres/in-account.ts';
import type { GovernanceActivities } from './contracts.ts';
import { alive } from './alive.ts';
import { unlessHopeless } from './failure.ts';

export interface GovernanceActivityOptions {
  readonly contests: Contests;
  readonly decisions: ScheduledDecisions;
  readonly erasure: Erasure;
  readonly forgetting: ForgettingPass;
  readonly regate: Regate;
  readonly importRebuild: ImportRebuild;
  readonly inAccount: InAccount;
}

/** Does a step, with heartbeats while it lasts; says which failures are final. */
const step = <T>(work: () => Promise<T>): Promise<T> => alive(() => unlessHopeless(work));

/** The activities of the lane. */
export function createGovernanceActivities(
  options: GovernanceActivityOptions,
): GovernanceActivities {
  const { contests, decisions, erasure, forgetting, importRebuild, inAccount, regate } = options;
  return {
    judgeContest: (run) => step(() => contests.judge(run)),
    judgeDecision: (run) => step(() => decisions.judge(run)),
    eraseStep: (input) => step(() => erasure.step(input)),
    verifyErasure: (run) => step(() => erasure.verify(run)),
    completeErasure: (run) => step(() => erasure.complete(run)),
    forgettingPage: (input) => step(() => forgetting.page(input)),
    regatePage: (input) => step(() => regate.page(input)),
    markRebuilt: ({ accountId, afterId, runId, unit }) =>
      step(() => importRebuild.mark({ accountId, runId }, { unit, afterId })),
    openRebuilt: ({ until, ...run }) => step(() => importRebuild.open(run, until)),
    cancelRun: ({ accountId, runId }) =>
      alive(() => inAccount(accountId, ({ runs }) => runs.end(runId, 'cancelled'))),
    failRun: ({ accountId, runId, errorClass }) =>
      alive(() => inAccount(accountId, ({ runs }) => runs.end(runId, 'failed', errorClass))),
  };
}
