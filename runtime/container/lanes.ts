/** The activities of all lanes of a worker, on the parts of its container. */
import { createIngestActivities } from '../../activities/ingest.ts';
import { createMailboxWatcher } from '../../activities/mailbox-watcher.ts';
import type { BatchTracing, DrainObserver } from '../../activities/observer.ts';
import { createProjectionActivities } from '../../activities/projection.ts';
import { isRemote } from '../../engine/models/calls.ts';
import { MailboxesStore } from '../../stores/postgres/mailboxes.store.ts';
import { errorFields, type Log } from '../logger.ts';
import type { LaneActivities } from '../temporal/worker.ts';
import { buildDocumentActivities } from './document-lane.ts';
import { buildExtractionPipeline } from './extraction.ts';
import { buildGovernanceActivities } from './governance.ts';
import type { Container } from './index.ts';
import { buildReconcilerActivities } from './reconciler.ts';

/** The observers of drains and their batches. */
export interface LaneObservers {
  readonly drains?: DrainObserver;
  readonly tracing?: BatchTracing | undefined;
}

/** `stopping` is aborted when the process stops; drains then end after their present batch. */
export function buildLaneActivities(
  container: Container,
  log: Log,
  stopping: AbortSignal,
  observed: LaneObservers = {},
): LaneActivities {
  const { db, indexer, actors } = container;
  const extractor = container.config.models.ingest_extractor;
  const mailboxes = new MailboxesStore(db, isRemote(extractor) ? extractor : null);
  const onError = (error: unknown): void => log.warn('drain.refresh_failed', errorFields(error));
  const watcher = createMailboxWatcher({
    withWork: (asked) => mailboxes.withWork(asked),
    onError: (error) => log.warn('watcher.failed', errorFields(error)),
  });
  const { drains: observer, tracing } = observed;
  const shared = { mailboxes, watcher, stopping, onError, observer, tracing };
  return {
    ingest: createIngestActivities({
      ...shared,
      demand: container.demand,
      processor: buildExtractionPipeline(container, log),
    }),
    projection: createProjectionActivities({ ...shared, indexer }),
    documents: buildDocumentActivities({ db, blobs: container.blobs, doorbell: actors.doorbell }),
    governance: buildGovernanceActivities({ db, doorbell: actors.doorbell }),
    reconciler: buildReconcilerActivities({
      db,
      client: actors.client,
      doorbell: actors.doorbell,
    }),
  };
}
