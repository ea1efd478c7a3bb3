/**
 * Two writers write the record of one statement at the same time. Meilisearch takes what comes last, though it was read
 * first, so the statement stays marked until its record is written after both.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import type { Stores } from '../../../stores/postgres/stores.ts';
import { testServers } from '../../support/environment.ts';
import { startFaultProxy, type FaultProxy } from '../../support/fault-proxy.ts';
import { openSearchScene, type AccountScene, type SearchScene } from '../search/scene.ts';

const SHARD = 0;
const signal = new AbortController().signal;
/** Longer than the other writer takes for all it does. */
const LATE_MS = 2_000;

let scene: SearchScene;
let late: FaultProxy;
beforeAll(async () => {
  scene = await openSearchScene();
  late = await startFaultProxy(testServers().meilisearch.url);
  await late.become({ kind: 'slow', ms: LATE_MS });
});
afterAll(async () => {
  await late.close();
  await scene.close();
});
afterEach(() => {
  scene.rebuilt({});
});

const inAccount = <T>(account: AccountScene, work: (stores: Stores) => Promise<T>): Promise<T> =>
  createInAccount(scene.pool)(account.id, work);

/** Gives the statement a new version, and marks it as whoever changes a statement does. */
async function change(account: AccountScene, unitId: string): Promise<void> {
  const scopeId = await account.scope('/poc');
  await scene.sql('update knowledge set row_version = row_version + 1 where id = $1', [unitId]);
  await inAccount(account, ({ dirtyMarks }) =>
    dirtyMarks.add([{ unit: 'statement', unitId, scopeId, shard: SHARD }]),
  );
}

/** The marks of Meilisearch of the account, and whether they are due. */
const marksOf = (account: AccountScene) =>
  scene.sql(
    `select available_at <= clock_timestamp() as due from dirty_marks where account_id = $1 and engine = 'meilisearch'`,
    [account.id],
  );

async function drift(account: AccountScene): Promise<{ stale: number; pending: number }> {
  const { indexes } = scene.rebuilt({});
  const verified = await indexes.verify(account.id, signal);
  const records = verified.indexes.filter(
    ({ engine, unit }) => engine === 'meilisearch' && unit === 'statement',
  );
  return {
    stale: records.reduce((sum, { stale }) => sum + stale, 0),
    pending: records.reduce((sum, { pending }) => sum + pending, 0),
  };
}

/** A writer reads a statement and is late; another one writes what the statement is by then, and ends. */
async function overtaken(lost: { connection: boolean }) {
  const account = await scene.account();
  const unitId = await account.statement({ text: 'Basalt columns stand' });
  const input = { accountId: account.id, shard: SHARD, limit: 500, signal };
  const open = createInAccount(scene.pool);
  const early = scene.rebuilt({
    meilisearch: { ...testServers().meilisearch, url: late.url },
    inAccount: (accountId, work) => {
      if (lost.connection) throw new Error('the connection is lost');
      return open(accountId, work);
    },
  });
  const begun = await early.indexer.beginRefresh(input);
  expect(begun.trailing).toMatchObject({ marks: 1 });
  const ended = begun.trailing?.ended ?? Promise.reject(new Error('nothing is under way'));
  await change(account, unitId);
  const other = scene.rebuilt({});
  // Marks that were taken as often come together: the point first, then the record.
  for (const more of [true, false]) {
    expect(await other.indexer.refresh(input)).toMatchObject({ written: 1, failed: 0, more });
  }
  return { account, input, ended, other };
}

describe('a record that an earlier reading overwrote', () => {
  test('is written again, because the earlier writer leaves the mark', async () => {
    const { account, ended, input, other } = await overtaken({ connection: false });
    expect(await marksOf(account)).toEqual([{ due: false }]);
    await ended;
    expect(await drift(account)).toEqual({ stale: 0, pending: 1 });
    expect(await marksOf(account)).toEqual([{ due: true }]);
    expect(await other.indexer.refresh(input)).toMatchObject({ written: 1, failed: 0 });
    expect(await marksOf(account)).toEqual([]);
    expect(await drift(account)).toEqual({ stale: 0, pending: 0 });
  });

  test('is written again when the earlier writer never reports, as soon as its time is over', async () => {
    const lost = { connection: false };
    const { account, ended, input, other } = await overtaken(lost);
    lost.connection = true;
    await expect(ended).rejects.toThrow('the connection is lost');
    expect(await marksOf(account)).toEqual([{ due: false }]);
    await scene.sql(
      'update dirty_marks set available_at = now(), held_until = now() where account_id = $1',
      [account.id],
    );
    expect(await other.indexer.refresh(input)).toMatchObject({ written: 1, failed: 0 });
    expect(await marksOf(account)).toEqual([]);
    expect(await drift(account)).toEqual({ stale: 0, pending: 0 });
  });
});

describe('of two writers of a record', () => {
  const taken = async (account: AccountScene) =>
    (
      await inAccount(account, ({ markHolds }) =>
        markHolds.take(SHARD, { limit: 500, bytes: 1_000_000 }),
      )
    ).filter(({ engine }) => engine === 'meilisearch');
  const report = (account: AccountScene, marks: Awaited<ReturnType<typeof taken>>) =>
    inAccount(account, ({ dirtyMarks }) => dirtyMarks.clear(marks));

  async function both() {
    const account = await scene.account();
    const unitId = await account.statement({ text: 'Basalt columns stand' });
    const earlier = await taken(account);
    await change(account, unitId);
    const later = await taken(account);
    return { account, earlier, later };
  }

  test('the later one clears nothing when the earlier one reports first, for it may have written first', async () => {
    const { account, earlier, later } = await both();
    expect(await report(account, earlier)).toEqual([]);
    expect(await marksOf(account)).toEqual([{ due: false }]);
    expect(await report(account, later)).toEqual([]);
    expect(await marksOf(account)).toEqual([{ due: true }]);
    expect(await report(account, await taken(account))).toEqual([]);
    expect(await marksOf(account)).toEqual([]);
  });

  test('one that reports after its time marks the record for whoever writes it now', async () => {
    const { account, earlier, later } = await both();
    await scene.sql(
      'update dirty_marks set available_at = now(), held_until = now() where account_id = $1',
      [account.id],
    );
    const last = await taken(account);
    expect(await report(account, earlier)).toEqual([]);
    expect(await report(account, last)).toEqual([]);
    expect(await marksOf(account)).toEqual([{ due: true }]);
    expect(await report(account, later)).toEqual([]);
    expect(await marksOf(account)).toHaveLength(1);
  });

  test('one that never reports is waited for fifteen seconds, however often it was tried before', async () => {
    const { account, later } = await both();
    await scene.sql(
      `update dirty_marks set available_at = now() + interval '1 h', held_until = now() + interval '1 h'
       where account_id = $1`,
      [account.id],
    );
    expect(await report(account, later)).toEqual([]);
    expect(
      await scene.sql(
        `select available_at between now() + interval '10 s' and now() + interval '15 s' as soon,
           held_until = available_at as pruned
         from dirty_marks where account_id = $1 and engine = 'meilisearch'`,
        [account.id],
      ),
    ).toEqual([{ soon: true, pruned: true }]);
  });

  test('one whose index was away leaves the mark to neither of them, for what it sent may be written last', async () => {
    const { account, earlier, later } = await both();
    await inAccount(account, ({ markHolds }) => markHolds.postpone(earlier));
    expect(await report(account, later)).toEqual([]);
    expect(await marksOf(account)).toHaveLength(1);
    await scene.sql(
      `update dirty_marks set available_at = now() where account_id = $1 and engine = 'meilisearch'`,
      [account.id],
    );
    expect(await report(account, await taken(account))).toEqual([]);
    expect(await marksOf(account)).toEqual([]);
  });

  test('no more than the latest sixteen are known, and the others are not forgotten', async () => {
    const account = await scene.account();
    const unitId = await account.statement({ text: 'Basalt columns stand' });
    const writers = [await taken(account)];
    for (let n = 0; n < 20; n += 1) {
      await change(account, unitId);
      writers.push(await taken(account));
    }
    expect(
      await scene.sql(
        `select cardinality(holds) as known from dirty_marks where account_id = $1 and engine = 'meilisearch'`,
        [account.id],
      ),
    ).toEqual([{ known: 16 }]);
    for (const writer of writers.toReversed()) await report(account, writer);
    expect(await marksOf(account)).toEqual([{ due: true }]);
  });
});
