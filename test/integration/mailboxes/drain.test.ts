import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { sql, type DatabasePool } from 'slonik';
import type { DrainInput } from '../../../activities/contracts.ts';
import type { DrainReport } from '../../../domain/actors/mailbox-actor.ts';
import { createIngestActivities } from '../../../activities/ingest.ts';
import { createProjectionActivities } from '../../../activities/projection.ts';
import { createMailboxWatcher } from '../../../activities/mailbox-watcher.ts';
import type { Mailbox } from '../../../domain/actors/names.ts';
import type { BatchProcessor } from '../../../engine/extraction/pipeline.ts';
import { MailboxesStore } from '../../../stores/postgres/actors/mailboxes.store.ts';
import { withAccount } from '../../../stores/postgres/pool.ts';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';
import { HANGS_MS, eventually } from '../../support/patience.ts';
import { createProcessor } from '../../workflow/harness.ts';
import { insertAccount, observe, type Account } from '../../workflow/observations.ts';
import { awakeAmong } from './awake-among.ts';

let database: OpenDatabase;
let db: DatabasePool;
let store: MailboxesStore;
let account: Account;
let mailbox: Mailbox;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  database = await openTestDatabase();
  db = database.pool;
  store = new MailboxesStore(db);
});

afterAll(async () => {
  await database.close();
  await Runtime.instance().shutdown();
});

beforeEach(async () => {
  account = await insertAccount(database.admin);
  mailbox = { accountId: account.accountId, kind: 'ingest', shard: 0 };
});

function drain(
  processor: BatchProcessor,
  options: { readonly lingerMs?: number; readonly input?: Partial<DrainInput> } = {},
) {
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const stopping = new AbortController();
  const activities = createIngestActivities({
    mailboxes: store,
    processor,
    watcher: createMailboxWatcher({
      withWork: (asked) => store.withWork(asked),
      onError() {},
      intervalMs: 5,
    }),
    stopping: stopping.signal,
    lingerMs: options.lingerMs ?? 10,
    onError() {},
  });
  const input = {
    accountId: account.accountId,
    shard: 0,
    maxMs: 3_600_000,
    maxUnits: 1_000,
    ...options.input,
  };
  const report: Promise<DrainReport> = environment.run(
    (given: DrainInput) => activities.drainMailbox(given),
    input,
  );
  return { report, environment, stopping };
}

/** Holds up each call until it is opened, and tells when the first has come. */
function createGate() {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    reached: reached.promise,
    open: opened.resolve,
    pass: (): Promise<void> => {
      reached.resolve();
      return opened.promise;
    },
  };
}

async function observeMany(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await observe(db, account, `s${n % 3}`)).messageId);
  return ids;
}

test('a drain works its mailbox off in batches and reports what it did', async () => {
  await observeMany(70);
  const processor = createProcessor(db);
  const { report } = drain(processor);
  expect(await report).toEqual({
    batches: 2,
    ok: 70,
    retry: 0,
    failed: 0,
    more: false,
    nextDueInMs: null,
  });
  expect(await awakeAmong(store, [mailbox])).toEqual([]);
});

test('a drain takes observations that arrive while it lingers', async () => {
  const processor = createProcessor(db);
  const { report, stopping } = drain(processor, { lingerMs: HANGS_MS });
  await eventually(async () => (await awakeAmong(store, [mailbox])).length === 1);
  const [messageId] = await observeMany(1);
  await eventually(() => processor.completed.has(messageId ?? ''));
  stopping.abort();
  expect((await report).ok).toBe(1);
});

test('a cancelled drain cuts its batch off and gives back its holds', async () => {
  await observeMany(5);
  const gate = createGate();
  const processor = createProcessor(db, gate.pass);
  const { report, environment } = drain(processor);
  await gate.reached;
  environment.cancel('CANCELLED');
  gate.open();
  expect(await report).toMatchObject({ ok: 0, more: true });
  expect(processor.completed.size).toBe(0);
  expect(await store.withWork([mailbox])).toEqual([mailbox]);
  expect((await drain(createProcessor(db)).report).ok).toBe(5);
});

test('a paused mailbox is not drained', async () => {
  await observeMany(1);
  await withAccount(db, account.accountId, (tx) =>
    tx.query(
      sql.unsafe`update mailboxes set paused = true where account_id = ${account.accountId}`,
    ),
  );
  expect(await drain(createProcessor(db)).report).toMatchObject({ ok: 0, more: false });
});

test('a drain that was replaced ends without writing', async () => {
  await observeMany(3);
  const gate = createGate();
  const zombie = createProcessor(db, gate.pass);
  const first = drain(zombie);
  await gate.reached;
  const successor = createProcessor(db);
  const second = await drain(successor).report;
  expect(second.ok).toBe(3);
  gate.open();
  expect(await first.report).toMatchObject({ ok: 0, more: false, nextDueInMs: null });
  expect(zombie.completed.size).toBe(0);
  expect(zombie.fenced).toBe(3);
});

test('a projection drain that reached its limit reports marks that arrived meanwhile', async () => {
  await observeMany(1);
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  // What the refresh saw was all there was; the observation of a moment later left two more.
  const beginRefresh = async () => ({
    written: 1,
    deleted: 0,
    failed: 0,
    full: false,
    trailing: null,
  });
  const activities = createProjectionActivities({
    mailboxes: store,
    indexer: { beginRefresh },
    watcher: { waitForWork: async () => false },
    stopping: new AbortController().signal,
    onError() {},
  });
  const input = { accountId: account.accountId, shard: 0, maxMs: 3_600_000, maxUnits: 1 };
  const report: DrainReport = await environment.run(
    (given: DrainInput) => activities.refreshIndexes(given),
    input,
  );
  expect(report).toMatchObject({ ok: 1, more: true, nextDueInMs: 0 });
});
