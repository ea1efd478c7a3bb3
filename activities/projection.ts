/**
 * Lane `projection`: brings the indexes up to date with the changes of a mailbox. A unit has one mark for an index
 * however often it changes, so many changes cost one write. Changes during a refresh go into the next one.
 */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { createSemaphore } from '../engine/semaphore.ts';
import type { MailboxesStore } from '../stores/postgres/actors/mailboxes.store.ts';
import type { ProjectionActivities } from './contracts.ts';
import { runDrain, type DrainLane, type DrainMailboxes } from './drain.ts';
import type { BatchTracing } from './observer.ts';
import { ProjectionFlow, type ProjectionFlowOptions } from './projection-flow.ts';

export interface ProjectionActivityOptions extends DrainLane {
  readonly mailboxes: DrainMailboxes & Pick<MailboxesStore, 'nextDueInMs'>;
  readonly indexer: ProjectionFlowOptions['indexer'];
  readonly tracing?: BatchTracing | undefined;
  /** Refreshes at a time in this process; drains that wait for work do not count. */
  readonly concurrentRefreshes?: number;
}

const DEFAULT_CONCURRENT_REFRESHES = 8;
/** Each step waits once for Qdrant, which takes about as long for many points as for few. */
const BATCH_SIZE = 500;

/** The activities of the lane. */
export function createProjectionActivities(
  options: ProjectionActivityOptions,
): ProjectionActivities {
  const { indexer, mailboxes, tracing } = options;
  const turns = createSemaphore(options.concurrentRefreshes ?? DEFAULT_CONCURRENT_REFRESHES);
  return {
    refreshIndexes: (input) =>
      runDrain('projection', input, {
        ...options,
        batchSize: BATCH_SIZE,
        heartbeat,
        cancelled: cancellationSignal(),
        work: (epoch) => {
          // By turns of accounts: the eight mailboxes of one account do not hold up another account.
          const inTurn: ProjectionFlowOptions['inTurn'] = (signal, work) =>
            turns.run(signal, work, input.accountId);
          return new ProjectionFlow({ mailboxes, indexer, inTurn, tracing }, input, epoch);
        },
      }),
  };
}
