import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql, type DatabasePool } from 'slonik';
import { v7 as uuid } from 'uuid';
import { z } from 'zod';
import type { Mailbox } from '../../../domain/actors/names.ts';
import { MailboxesStore } from '../../../stores/postgres/actors/mailboxes.store.ts';
import { withAccount } from '../../../stores/postgres/pool.ts';
import { UndispatchedRunsStore } from '../../../stores/postgres/runs/runs.store.ts';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { insertAccount, observe, type Account } from '../../workflow/observations.ts';
import { awakeAmong } from './awake-among.ts';

let database: OpenDatabase;
let db: DatabasePool;
let store: MailboxesStore;
let account: Account;
let mailbox: Mailbox;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.pool;
  store = new MailboxesStore(db);
});

afterAll(() => database.close());

beforeEach(async () => {
  account = await insertAccount(database.admin);
  mailbox = { accountId: account.accountId, kind: 'ingest', shard: 0 };
});

async function change(query: ReturnType<typeof sql.unsafe>): Promise<number> {
  return withAccount(db, account.accountId, async (tx) => (await tx.query(query)).rowCount);
}

/** What the extraction pipeline does at the end of an anchor. */
function complete(messageId: string, epoch: number): Promise<number> {
  return change(sql.unsafe`
    update extraction_anchors set status = 'completed', completed_at = now(), claim_epoch = null
    where account_id = ${account.accountId} and message_id = ${messageId}
      and claim_epoch = ${epoch} and status in ('pending', 'failed')`);
}

function delay(messageId: string, ms: number): Promise<number> {
  return change(sql.unsafe`
    update extraction_anchors
    set status = 'failed', last_error_class = 'transport_error', claim_epoch = null,
      available_at = clock_timestamp() + make_interval(secs => ${ms / 1000}::float8)
    where account_id = ${account.accountId} and message_id = ${messageId}`);
}

describe('a drain', () => {
  test('takes due anchors in the order of their sessions, and each one once', async () => {
    for (const session of ['b', 'a', 'b', 'a', 'b']) await observe(db, account, session);
    const { epoch } = await store.openDrain(mailbox);
    const taken = await store.takeAnchors(mailbox, epoch, 50);
    const keys = taken.map(({ sessionId, messageId }) => `${sessionId}/${messageId}`);
    expect(keys).toEqual(keys.toSorted());
    expect(taken).toHaveLength(5);
    expect(taken[0]).toMatchObject({ attemptCount: 1, extractedAt: null, lostHolds: 0 });
    expect(await store.takeAnchors(mailbox, epoch, 50)).toEqual([]);
  });

  test('takes no anchor that another drain takes at the same moment', async () => {
    for (let n = 0; n < 40; n += 1) await observe(db, account, `s${n % 4}`);
    const { epoch } = await store.openDrain(mailbox);
    const batches = await Promise.all(
      Array.from({ length: 6 }, () => store.takeAnchors(mailbox, epoch, 10)),
    );
    const ids = batches.flat().map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await store.takeAnchors(mailbox, epoch, 50);
    expect(ids.length + rest.length).toBe(40);
  });

  test('takes over what its predecessor held, and the predecessor writes nothing more', async () => {
    const { messageId } = await observe(db, account, 's');
    const zombie = await store.openDrain(mailbox);
    expect(await store.takeAnchors(mailbox, zombie.epoch, 50)).toHaveLength(1);
    const next = await store.openDrain(mailbox);
    expect(next.epoch).toBe(zombie.epoch + 1);
    expect(await store.takeAnchors(mailbox, next.epoch, 50)).toHaveLength(1);

    expect(await complete(messageId, zombie.epoch)).toBe(0);
    expect(await store.takeAnchors(mailbox, zombie.epoch, 50)).toEqual([]);
    expect(await store.releaseHolds(mailbox, zombie.epoch)).toBe(0);
    expect(await store.refreshAwake(mailbox, zombie.epoch)).toBe('superseded');
    expect(await complete(messageId, next.epoch)).toBe(1);
  });

  test('takes nothing once it is superseded', async () => {
    const zombie = await store.openDrain(mailbox);
    await store.openDrain(mailbox);
    await observe(db, account, 's');
    expect(await store.takeAnchors(mailbox, zombie.epoch, 50)).toEqual([]);
  });

  test('gives back what it did not settle', async () => {
    await observe(db, account, 's');
    const { epoch } = await store.openDrain(mailbox);
    await store.takeAnchors(mailbox, epoch, 50);
    expect(await store.nextDueInMs(mailbox, epoch)).toBeNull();
    expect(await store.releaseHolds(mailbox, epoch)).toBe(1);
    expect(await store.nextDueInMs(mailbox, epoch)).toBe(0);
    expect(await store.takeAnchors(mailbox, epoch, 50)).toHaveLength(1);
  });

  test('takes a retry when it is due and not before', async () => {
    const { messageId } = await observe(db, account, 's');
    const { epoch } = await store.openDrain(mailbox);
    await delay(messageId, 3_600_000);
    expect(await store.takeAnchors(mailbox, epoch, 50)).toEqual([]);
    const due = await store.nextDueInMs(mailbox, epoch);
    expect(due).toBeGreaterThan(3_600_000 - HANGS_MS);
    expect(due).toBeLessThanOrEqual(3_600_000);
    await delay(messageId, -1);
    expect(await store.takeAnchors(mailbox, epoch, 50)).toHaveLength(1);
  });

  test('leaves other shards and other accounts alone', async () => {
    await observe(db, account, 's');
    const other = { ...mailbox, shard: 1 };
    const { epoch } = await store.openDrain(other);
    expect(await store.takeAnchors(other, epoch, 50)).toEqual([]);
    const stranger = await insertAccount(database.admin);
    const foreign = { ...mailbox, accountId: stranger.accountId };
    const opened = await store.openDrain(foreign);
    expect(await store.takeAnchors(foreign, opened.epoch, 50)).toEqual([]);
  });

  test('closes the ledger rows its predecessor left open', async () => {
    const { epoch } = await store.openDrain(mailbox);
    const attempt = async (state: string, ofEpoch: number, shard: number): Promise<string> => {
      const id = uuid();
      await change(sql.unsafe`
        insert into provider_attempts (account_id, id, role, provider, model, model_version, state,
          metered, mailbox_shard, claim_epoch)
        values (${account.accountId}, ${id}, 'ingest_extractor', 'stub', 'm', '1',
          ${state}::attempt_state, ${state === 'dispatched'}, ${shard}, ${ofEpoch})`);
      return id;
    };
    const reserved = await attempt('reserved', epoch, 0);
    const dispatched = await attempt('dispatched', epoch, 0);
    const elsewhere = await attempt('reserved', epoch, 1);
    const current = await attempt('reserved', epoch + 1, 0);
    await store.openDrain(mailbox);

    const row = z.object({
      id: z.string(),
      state: z.string(),
      error_class: z.string().nullable(),
      metered: z.boolean(),
    });
    const rows = await withAccount(db, account.accountId, (tx) =>
      tx.any(sql.type(row)`select id, state, error_class, metered from provider_attempts`),
    );
    const byId = new Map(rows.map(({ id, ...rest }) => [id, rest]));
    expect(byId.get(reserved)).toEqual({ state: 'cancelled', error_class: null, metered: false });
    expect(byId.get(dispatched)).toEqual({
      state: 'error',
      error_class: 'internal_error',
      metered: false,
    });
    expect(byId.get(elsewhere)).toMatchObject({ state: 'reserved' });
    expect(byId.get(current)).toMatchObject({ state: 'reserved' });
  });
});

describe('the questions of doorbell, watcher and sweep', () => {
  test('a mailbox is awake from the opening to the close of its drain', async () => {
    await observe(db, account, 's');
    expect(await awakeAmong(store, [mailbox])).toEqual([]);
    const { epoch } = await store.openDrain(mailbox);
    expect(await awakeAmong(store, [mailbox, { ...mailbox, kind: 'projection' }])).toEqual([
      mailbox,
    ]);
    const next = await store.openDrain(mailbox);
    await store.closeDrain(mailbox, epoch);
    expect(await awakeAmong(store, [mailbox])).toEqual([mailbox]);
    await store.closeDrain(mailbox, next.epoch);
    expect(await awakeAmong(store, [mailbox])).toEqual([]);
    expect(await store.refreshAwake(mailbox, next.epoch)).toBe('current');
    expect(await awakeAmong(store, [mailbox])).toEqual([mailbox]);
  });

  test('a mailbox has work when no current drain holds it, dirty marks included', async () => {
    await observe(db, account, 's');
    const projection: Mailbox = { ...mailbox, kind: 'projection' };
    const both = [mailbox, projection];
    expect(await store.withWork(both)).toEqual(expect.arrayContaining(both));
    const { epoch } = await store.openDrain(mailbox);
    await store.takeAnchors(mailbox, epoch, 50);
    expect(await store.withWork(both)).toEqual([projection]);
    await change(sql.unsafe`delete from dirty_marks where account_id = ${account.accountId}`);
    expect(await store.withWork(both)).toEqual([]);
    await store.openDrain(mailbox);
    expect(await store.withWork(both)).toEqual([mailbox]);
  });

  test('a neglected mailbox is found, rung by one of several sweeps, and then left for a while', async () => {
    const { messageId } = await observe(db, account, 's');
    await change(sql.unsafe`delete from dirty_marks where account_id = ${account.accountId}`);
    await delay(messageId, -5_000);
    const mine = async (): Promise<Mailbox[]> =>
      (await store.neglected(2_000, 500)).filter(
        ({ accountId }) => accountId === account.accountId,
      );
    expect(await mine()).toEqual([mailbox]);
    const marks = await Promise.all(Array.from({ length: 5 }, () => store.markRung(mailbox)));
    expect(marks.filter(Boolean)).toHaveLength(1);
    expect(await mine()).toEqual([]);
  });

  test('a mailbox that is awake, paused or not yet overdue is not neglected', async () => {
    const { messageId } = await observe(db, account, 's');
    await change(sql.unsafe`delete from dirty_marks where account_id = ${account.accountId}`);
    const mine = async (): Promise<number> =>
      (await store.neglected(2_000, 500)).filter(({ accountId }) => accountId === account.accountId)
        .length;
    expect(await mine()).toBe(0);
    await delay(messageId, -5_000);
    expect(await mine()).toBe(1);
    const { epoch } = await store.openDrain(mailbox);
    expect(await mine()).toBe(0);
    await store.closeDrain(mailbox, epoch);
    expect(await mine()).toBe(1);
    await change(
      sql.unsafe`update mailboxes set paused = true where account_id = ${account.accountId}`,
    );
    expect(await mine()).toBe(0);
    expect(await store.refreshAwake(mailbox, epoch)).toBe('paused');
    expect(await store.openDrain(mailbox)).toMatchObject({ paused: true });
  });
});

test('a run without a workflow is listed until it is marked as dispatched', async () => {
  const runs = new UndispatchedRunsStore(db);
  const runId = uuid();
  await change(sql.unsafe`
    insert into pipeline_runs (account_id, id, kind) values (${account.accountId}, ${runId}, 'reconcile')`);
  const run = { accountId: account.accountId, runId, kind: 'reconcile' };
  expect(await runs.undispatched(500)).toContainEqual(run);
  expect(await runs.markDispatched(run)).toBe(true);
  expect(await runs.markDispatched(run)).toBe(false);
  expect(await runs.undispatched(500)).not.toContainEqual(run);
});
