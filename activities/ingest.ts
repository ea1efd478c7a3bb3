/**
 * Lane `ingest`: claims the observations of a mailbox batch by batch, in the order of their sessions, and hands
 * each batch to the processor. Batches of a drain follow each other, and an account's shard has one drain, so a
 * session is never worked on twice at a time.
 */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { MailboxStore } from '../stores/postgres/mailboxes.store.ts';
import type { BatchProcessor } from '../engine/extraction/pipeline.ts';
import type { DrainInput, IngestActivities } from './contracts.ts';
import { runDrain, type DrainWork } from './drain.ts';
import type { MailboxWatcher } from './mailbox-watcher.ts';
import type { BatchTracing, DrainObserver } from './observer.ts';

export interface IngestActivityOptions {
  readonly mailboxes: MailboxStore;
  readonly processor: BatchProcessor;
  readonly watcher: MailboxWatcher;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
  /** Told of failures that a drain survives. */
  onError(error: unknown): void;
  /** How long a drain watches an empty mailbox before it ends; two seconds unless given. */
  readonly lingerMs?: number;
  readonly observer?: DrainObserver | undefined;
  readonly tracing?: BatchTracing | undefined;
}

function ingestWork(options: IngestActivityOptions, input: DrainInput, epoch: number): DrainWork {
  const { accountId, shard } = input;
  const mailbox = { accountId, kind: 'ingest', shard } as const;
  const { mailboxes, processor, stopping, tracing } = options;
  return {
    async step(limit, signal) {
      const anchors = await mailboxes.claimAnchors(mailbox, epoch, limit);
      if (anchors.length === 0) return null;
      const batch = { accountId, shard, epoch, anchors };
      const work = () => processor.process(batch, signal, stopping);
      if (tracing === undefined) return work();
      const traceIds = anchors.map(({ traceId }) => traceId);
      return tracing.batch('ingest', traceIds, work);
    },
    async release() {
      await mailboxes.releaseClaims(mailbox, epoch);
    },
    nextDueInMs: () => mailboxes.nextDueInMs(mailbox, epoch),
  };
}

/** One transaction's worth of statements; a batch that is cut off loses no more than this. */
const BATCH_SIZE = 50;

/** The activities of the lane. */
export function createIngestActivities(options: IngestActivityOptions): IngestActivities {
  return {
    drainMailbox: (input) =>
      runDrain('ingest', input, {
        ...options,
        batchSize: BATCH_SIZE,
        heartbeat,
        cancelled: cancellationSignal(),
        work: (epoch) => ingestWork(options, input, epoch),
      }),
  };
}
