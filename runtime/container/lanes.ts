/** The activities of all lanes of a worker, on the parts of its container. */
import type { Client } from '@temporalio/client';
import { v7 as uuid } from 'uuid';
import { createDocumentActivities } from '../../activities/documents.ts';
import { createGovernanceActivities } from '../../activities/governance.ts';
import { createIngestActivities } from '../../activities/ingest.ts';
import { createLifecycleActivities } from '../../activities/lifecycle.ts';
import { createMailboxWatcher } from '../../activities/mailbox-watcher.ts';
import type { BatchTracing, DrainObserver } from '../../activities/observer.ts';
import { createProjectionActivities } from '../../activities/projection.ts';
import { createReconcilerActivities } from '../../activities/reconciler.ts';
import type { Mailbox } from '../../domain/actors/names.ts';
import { parseApart } from '../../engine/documents/parse-apart.ts';
import { createDocumentReader } from '../../engine/documents/reader.ts';
import { createErasure, type Erasure } from '../../engine/erasure/erasure.ts';
import { signReceipt } from '../../engine/erasure/receipts.ts';
import { createImportRebuild } from '../../engine/indexes/import-rebuild.ts';
import { createForgettingPass } from '../../engine/forgetting/pass.ts';
import type { IndexEraser } from '../../engine/indexes/index-eraser.ts';
import { createScheduledDecisions } from '../../engine/desk/scheduled.ts';
import { createContests } from '../../engine/knowledge/contests.ts';
import { createRegate } from '../../engine/knowledge/regate.ts';
import { createSweeps, type Sweeps } from '../../engine/lifecycle/sweeps.ts';
import { isRemote } from '../../domain/models/role-config.ts';
import { createScopeMarker } from '../../engine/reconcile/compared-scopes.ts';
import type { MarkMessages } from '../../engine/reconcile/message-vectors.ts';
import { createReconcile } from '../../engine/reconcile/reconcile.ts';
import type { OnPruned, Retention } from '../../engine/retention/retention.ts';
import type { BlobStore } from '../../stores/blobs/blob-store.ts';
import { DocumentSettleStore } from '../../stores/postgres/documents/settle.store.ts';
import { DocumentVersionsStore } from '../../stores/postgres/documents/versions.store.ts';
import { ErasurePagesStore } from '../../stores/postgres/erasure/pages.store.ts';
import { ForgettingPassStore } from '../../stores/postgres/forgetting/pass.store.ts';
import { createInAccount, createRefusingInAccount } from '../../stores/postgres/in-account.ts';
import { RegateStore } from '../../stores/postgres/knowledge/regate.store.ts';
import { MailboxesStore } from '../../stores/postgres/actors/mailboxes.store.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { ReconcileStore } from '../../stores/postgres/reconcile/reconcile.store.ts';
import { SHARDS } from '../../stores/postgres/actors/shards.ts';
import { SweepsStore } from '../../stores/postgres/sweeps/sweeps.store.ts';
import type { Doorbell } from '../actors/doorbell.ts';
import { createWorkflowStates } from '../actors/run-states.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';
import type { LaneActivities } from '../temporal/worker.ts';
import type { Settings } from '../config/index.ts';
import { receiptKey } from './receipt-key.ts';
import { buildExtractionPipeline } from './extraction.ts';
import type { Container } from './index.ts';

/** The observers of drains and their batches, and of the retention. */
export interface LaneObservers {
  readonly drains?: DrainObserver;
  readonly pruned?: OnPruned;
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
    ...buildRunActivities({
      db,
      blobs,
      client: actors.client,
      doorbell: actors.doorbell,
      indexEraser: container.indexEraser,
      markMessages: container.markMessages,
      settings: container.config.settings,
      retention: container.environment.retention,
      onPruned: observed.pruned,
      stopping,
      log,
    }),
  };
}

export interface RunLaneDependencies {
  readonly db: Queryable;
  readonly blobs: BlobStore;
  readonly client: Client;
  readonly doorbell: Pick<Doorbell, 'ring'>;
  readonly indexEraser: IndexEraser;
  readonly markMessages: MarkMessages;
  readonly settings: Pick<
    Settings,
    'SERVICE_BUDGET_LIMITS_JSON' | 'SERVICE_ERASURE_SETTLE_SECONDS' | 'SERVICE_RECEIPT_KEY_FILE'
  >;
  readonly retention: Retention;
  readonly onPruned?: OnPruned | undefined;
  readonly stopping: AbortSignal;
  readonly log: Log;
}

function buildSweeps({ db, log }: RunLaneDependencies, ring: (mailbox: Mailbox) => void): Sweeps {
  return createSweeps({
    store: new SweepsStore(db),
    newId: uuid,
    ring,
    shards: SHARDS,
    report: (what, kind, error) =>
      what === 'page'
        ? log.warn('lifecycle.page_failed', { kind, ...errorFields(error) })
        : log.warn('lifecycle.set_aside', { kind, ...errorFields(error) }),
  });
}

function buildErasure(
  { db, blobs, indexEraser, log, settings }: RunLaneDependencies,
  ring: (mailbox: Mailbox) => void,
): Erasure {
  const keyFile = settings.SERVICE_RECEIPT_KEY_FILE;
  return createErasure({
    pages: new ErasurePagesStore(db),
    indexes: indexEraser,
    blobs,
    newId: uuid,
    ring,
    sign: (body) => signReceipt(body, receiptKey(keyFile)),
    settleMs: settings.SERVICE_ERASURE_SETTLE_SECONDS * 1_000,
    report: (fields) => log.warn('erasure.remains', fields),
  });
}

/** The activities of the lanes that work runs off: documents, governance, reconciles, sweeps. */
export function buildRunActivities(
  dependencies: RunLaneDependencies,
): Pick<LaneActivities, 'documents' | 'governance' | 'reconciler' | 'lifecycle'> {
  const { db, blobs, client, doorbell } = dependencies;
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
  const reconcile = createReconcile({
    store: new ReconcileStore(db, dependencies.settings.SERVICE_BUDGET_LIMITS_JSON),
    workflowState,
    blobs,
    ring,
    markMessages: dependencies.markMessages,
    markScopes: createScopeMarker(inAccount),
  });
  return {
    documents: createDocumentActivities({ reader }),
    governance: createGovernanceActivities({
      contests: createContests(inAccount, ring),
      decisions: createScheduledDecisions(createRefusingInAccount(db), ring),
      importRebuild: createImportRebuild({ inAccount, ring }),
      erasure: buildErasure(dependencies, ring),
      forgetting: createForgettingPass(new ForgettingPassStore(db), ring),
      regate,
      inAccount,
    }),
    reconciler: createReconcilerActivities({
      reconcile,
      inAccount,
      retention: dependencies.retention,
      onPruned: dependencies.onPruned ?? (() => {}),
      stopping: dependencies.stopping,
    }),
    lifecycle: createLifecycleActivities(buildSweeps(dependencies, ring), dependencies.stopping),
  };
}
