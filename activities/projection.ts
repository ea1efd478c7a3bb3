/**
 * Lane `projection`: brings the indexes up to date with the changes of a mailbox. A unit has one mark for an index
 * however often it changes, so many changes cost one write. Changes during a refresh go into the next one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { UnitCounts } from '../domain/actors/unit-counts.ts';
import { createSemaphore } from '../engine/semaphore.ts';
import type { Indexer } from '../engine/indexes/indexer.ts';
import type { MailboxesStore } from '../stores/postgres/mailboxes.store.ts';
import type { DrainInput, ProjectionActivities } from './contracts.ts';
import { runDrain, type DrainLane, type DrainMailboxes, type DrainWork } from './drain.ts';
import type { BatchTracing } from './observer.ts';

export interface ProjectionActivityOptions extends DrainLane {
  readonly mailboxes: DrainMailboxes & Pick<MailboxesStore, 'nextDueInMs'>;
  readonly indexer: Indexer;
  readonly tracing?: BatchTracing | undefined;
  /** Refreshes at a time in this process; drains that wait for work do not count. */
  readonly concurrentRefreshes?: number;
}

const DEFAULT_CONCURRENT_REFRESHES = 8;
/** Each step waits once for Meilisearch, which takes about as long for many documents as for few. */
const BATCH_SIZE = 500;

/** After a small refresh the drain rests as long as it took, so that marks that come meanwhile share the next one. */
const LONGEST_REST_MS = 1_000;

function restAfter(tookMs: number, units: number, isFull: boolean): number {
  return units === 0 || isFull ? 0 : Math.min(LONGEST_REST_MS, tookMs);
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

function projectionWork(
  mailboxes: Pick<MailboxesStore, 'nextDueInMs'>,
  epoch: number,
  indexer: Indexer,
  input: DrainInput,
  inTurn: <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>,
  tracing: BatchTracing | undefined,
): DrainWork {
  const { accountId, shard } = input;
  let restMs = 0;
  let isFull = false;
  return {
    async step(limit, signal) {
      await rest(restMs, signal);
      const startedAt = performance.now();
      const refresh = async (): Promise<UnitCounts> => {
        const done = await inTurn(signal, () =>
          indexer.refresh({ accountId, shard, limit, signal }),
        );
        isFull = done.full;
        return { ok: done.written + done.deleted, retry: done.failed, failed: 0, fenced: 0 };
      };
      // Marks do not say which request left them.
      const report = await (tracing === undefined
        ? refresh()
        : tracing.batch('projection', [], refresh));
      const units = report.ok + report.retry;
      restMs = restAfter(performance.now() - startedAt, units, isFull);
      return units === 0 ? null : report;
    },
    // Nothing to give back: an aborted refresh has given its marks back, and a finished one holds none.
    release: () => Promise.resolve(),
    nextDueInMs: () => mailboxes.nextDueInMs({ accountId, kind: 'projection', shard }, epoch),
  };
}

/** The activities of the lane. */
export function createProjectionActivities(
  options: ProjectionActivityOptions,
): ProjectionActivities {
  const turns = createSemaphore(options.concurrentRefreshes ?? DEFAULT_CONCURRENT_REFRESHES);
  return {
    refreshIndexes: (input) =>
      runDrain('projection', input, {
        ...options,
        batchSize: BATCH_SIZE,
        heartbeat,
        cancelled: cancellationSignal(),
        work: (epoch) =>
          projectionWork(
            options.mailboxes,
            epoch,
            options.indexer,
            input,
            // By turns of accounts: the eight mailboxes of one account do not hold up another account.
            (signal, work) => turns.run(signal, work, input.accountId),
            options.tracing,
          ),
      }),
  };
}
