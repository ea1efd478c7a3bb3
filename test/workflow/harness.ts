/** Actors on the real servers, with a processor that only settles what it is given. */
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { NativeConnection, type WorkflowBundle } from '@temporalio/worker';
import { sql, type DatabasePool } from 'slonik';
import { z } from 'zod';
import type { BatchProcessor, HeldBatch } from '../../engine/extraction/pipeline.ts';
import type { Indexer } from '../../engine/indexes/indexer.ts';
import { createIngestActivities } from '../../activities/ingest.ts';
import { createMailboxWatcher } from '../../activities/mailbox-watcher.ts';
import { createProjectionActivities } from '../../activities/projection.ts';
import { createActors, type Actors } from '../../runtime/actors/actors.ts';
import { openActorClient } from '../../runtime/actors/connection.ts';
import { Doorbell } from '../../runtime/actors/doorbell.ts';
import type { IndexEraser } from '../../engine/indexes/index-eraser.ts';
import { buildRunActivities } from '../../runtime/container/lanes.ts';
import { startWorkers, type RunningWorkers } from '../../runtime/temporal/worker.ts';
import { createFolderBlobStore } from '../../stores/blobs/folder.ts';
import { MailboxesStore } from '../../stores/postgres/actors/mailboxes.store.ts';
import { withAccount } from '../../stores/postgres/pool.ts';
import { openTestDatabase, type OpenDatabase } from '../support/database.ts';
import { testServers } from '../support/environment.ts';
import { insertAccount, type Account } from './observations.ts';

const NAMESPACE = 'vouch';

const nothingIndexed: IndexEraser = {
  eraseElsewhere: async () => undefined,
  held: async () => 0,
  heldOfPeer: async () => 0,
};

export const silentLog = { info() {}, warn() {}, error() {} };

/** Settles every anchor of a batch, fenced by the epoch, and counts what it wrote. */
export interface CountingProcessor extends BatchProcessor {
  /** How often each message was completed. */
  readonly completed: ReadonlyMap<string, number>;
  fenced: number;
}

/** `meanwhile` passes between the taking of a batch and its writing. */
export function createProcessor(
  db: DatabasePool,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): CountingProcessor {
  const completed = new Map<string, number>();
  const settled = z.object({ message_id: z.string() });
  return {
    completed,
    fenced: 0,
    async process(batch: HeldBatch, signal) {
      await meanwhile();
      signal.throwIfAborted();
      const ids = batch.anchors.map(({ messageId }) => messageId);
      const rows = await withAccount(db, batch.accountId, (tx) =>
        tx.any(sql.type(settled)`
          update extraction_anchors
          set status = 'completed', completed_at = now(), extracted_at = now(), claim_epoch = null
          where account_id = ${batch.accountId} and message_id = any(${sql.array(ids, 'uuid')})
            and claim_epoch = ${batch.epoch} and status in ('pending', 'failed')
          returning message_id`),
      );
      for (const { message_id: id } of rows) completed.set(id, (completed.get(id) ?? 0) + 1);
      this.fenced += ids.length - rows.length;
      return { ok: rows.length, retry: 0, failed: 0, fenced: ids.length - rows.length };
    },
  };
}

/** Clears the marks of a mailbox, as if the indexes had been written. */
function createIndexer(db: DatabasePool): Pick<Indexer, 'beginRefresh'> {
  return {
    async beginRefresh({ accountId, shard, limit }) {
      const { rowCount } = await withAccount(db, accountId, (tx) =>
        tx.query(sql.unsafe`
          delete from dirty_marks where ctid in (
            select ctid from dirty_marks
            where account_id = ${accountId} and shard = ${shard} and available_at <= now()
            limit ${limit})`),
      );
      return {
        written: rowCount,
        deleted: 0,
        failed: 0,
        full: false,
        trailing: null,
      };
    },
  };
}

export interface Harness {
  readonly database: OpenDatabase;
  readonly db: DatabasePool;
  readonly account: Account;
  readonly client: Client;
  readonly actors: Actors;
  readonly doorbell: Doorbell;
  readonly mailboxes: MailboxesStore;
  readonly queuePrefix: string;
  /** A worker process of its own kind; several may run. */
  startWorker(processor: BatchProcessor, lingerMs?: number): Promise<RunningWorkers>;
  close(): Promise<void>;
}

export async function openHarness(bundle: WorkflowBundle, namespace = NAMESPACE): Promise<Harness> {
  const database = await openTestDatabase();
  const { pool: db } = database;
  const account = await insertAccount(database.admin);
  const address = testServers().temporalAddress;
  const queuePrefix = `test-${randomBytes(4).toString('hex')}`;
  const client = openActorClient({ address, namespace, identity: 'api-1' });
  const connections: NativeConnection[] = [];
  const mailboxes = new MailboxesStore(db);
  const actors = createActors({ client, queuePrefix, buildSha: 'dev' });
  const doorbell = new Doorbell({
    actors,
    looks: (asked) => mailboxes.looks(asked),
    log: silentLog,
  });
  const workers: RunningWorkers[] = [];
  return {
    database,
    db,
    account,
    client,
    actors,
    doorbell,
    mailboxes,
    queuePrefix,
    async startWorker(processor, lingerMs = 50) {
      const stopping = new AbortController();
      const watcher = createMailboxWatcher({
        withWork: (asked) => mailboxes.withWork(asked),
        onError() {},
      });
      const shared = { mailboxes, watcher, stopping: stopping.signal, lingerMs, onError() {} };
      // As in two processes: workers on one queue may not share a connection.
      const connection = await NativeConnection.connect({ address });
      connections.push(connection);
      const running = await startWorkers({
        connection,
        namespace,
        queuePrefix,
        bundle,
        log: silentLog,
        identity: `worker-core-${workers.length + 1}`,
        buildSha: 'dev',
        activities: {
          ingest: createIngestActivities({ ...shared, processor }),
          projection: createProjectionActivities({ ...shared, indexer: createIndexer(db) }),
          ...buildRunActivities({
            db,
            blobs: createFolderBlobStore(join(tmpdir(), `vouch-blobs-${queuePrefix}`)),
            client,
            doorbell,
            // The workflows of this harness erase nobody.
            indexEraser: nothingIndexed,
            markMessages: async () => ({ messages: 0, mailboxes: [] }),
            settings: {
              SERVICE_BUDGET_LIMITS_JSON: {},
              SERVICE_ERASURE_SETTLE_SECONDS: 0,
              SERVICE_RECEIPT_KEY_FILE: join(tmpdir(), `vouch-receipts-${queuePrefix}.pem`),
            },
            stopping: stopping.signal,
            log: silentLog,
          }),
        },
      });
      let closing: Promise<void> | null = null;
      const worker = {
        stopped: running.stopped,
        close(): Promise<void> {
          stopping.abort();
          closing ??= running.close();
          return closing;
        },
      };
      workers.push(worker);
      return worker;
    },
    async close() {
      await doorbell.close();
      await Promise.all(workers.map((worker) => worker.close()));
      await client.connection.close();
      await Promise.all(connections.map((connection) => connection.close()));
      await database.close();
    },
  };
}
