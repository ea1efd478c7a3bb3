/** The activities of all lanes of a worker, on the parts of its container. */
import type { Client } from '@temporalio/client';
import { v7 as uuid } from 'uuid';
import { createDocumentActivities } from '../../activities/documents.ts';
import { createGovernanceActivities } from '../../activities/governance.ts';
import { createIngestActivities } from '../../activities/ingest.ts';
import { createMailboxWatcher } from '../../activities/mailbox-watcher.ts';
import type { BatchTracing, DrainObserver } from '../../activities/observer.ts';
import { createProjectionActivities } from '../../activities/projection.ts';
import { createReconcilerActivities } from '../../activities/reconciler.ts';
import type { Mailbox } from '../../domain/actors/names.ts';
import { parseApart } from '../../engine/documents/parse-apart.ts';
import { createDocumentReader } from '../../engine/documents/reader.ts';
import { createContests } from '../../engine/knowledge/contests.ts';
import { createRegate } from '../../engine/knowledge/regate.ts';
import { isRemote } from '../../engine/models/calls.ts';
import { createReconcile } from '../../engine/reconcile/reconcile.ts';
import type { BlobStore } from '../../stores/blobs/blob-store.ts';
import { DocumentSettleStore } from '../../stores/postgres/documents/settle.store.ts';
import { DocumentVersionsStore } from '../../stores/postgres/documents/versions.store.ts';
import { createInAccount } from '../../stores/postgres/in-account.ts';
import { RegateStore } from '../../stores/postgres/knowledge/regate.store.ts';
import { MailboxesStore } from '../../stores/postgres/mailboxes.store.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { ReconcileStore } from '../../stores/postgres/reconcile.store.ts';
import type { Doorbell } from '../actors/doorbell.ts';
import { createWorkflowStates } from '../actors/run-states.ts';
import { errorFields, type Log } from '../logger.ts';
import type { LaneActivities } from '../temporal/worker.ts';
import { buildExtractionPipeline } from './extraction.ts';
import type { Container } from './index.ts';

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
  const { db, blobs, indexer, actors } = container;
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
    ...buildRunActivities({ db, blobs, client: actors.client, doorbell: actors.doorbell }),
  };
}

export interface RunLaneDependencies {
  readonly db: Queryable;
  readonly blobs: BlobStore;
  readonly client: Client;
  readonly doorbell: Pick<Doorbell, 'ring'>;
}

/** The activities of the lanes that work runs off: documents, regates, reconciles. */
export function buildRunActivities({
  db,
  blobs,
  client,
  doorbell,
}: RunLaneDependencies): Pick<LaneActivities, 'documents' | 'governance' | 'reconciler'> {
  const inAccount = createInAccount(db);
  const ring = (mailbox: Mailbox): void => doorbell.ring(mailbox);
  const reader = createDocumentReader({
    versions: new DocumentVersionsStore(db),
    settling: new DocumentSettleStore(db),
    blobs,
    newId: uuid,
    parse: (question, signal) => parseApart(question, signal),
    ring,
  });
  const regate = createRegate({ store: new RegateStore(db), newId: uuid, ring });
  const workflowState = createWorkflowStates(client);
  const reconcile = createReconcile({ store: new ReconcileStore(db), workflowState, ring });
  return {
    documents: createDocumentActivities({ reader }),
    governance: createGovernanceActivities({
      contests: createContests(inAccount, ring),
      regate,
      inAccount,
    }),
    reconciler: createReconcilerActivities({ reconcile, inAccount }),
  };
}
