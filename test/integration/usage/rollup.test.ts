/** The roll-up: what is committed out of order, by several processes, and by those that are killed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { utcDay } from '../../../domain/models/costs.ts';
import { PLANNING_REFERENCE } from '../../../domain/models/rates.ts';
import { createUsageCounts } from '../../../engine/usage/counts.ts';
import { createUsageUpkeep } from '../../../engine/usage/upkeep.ts';
import { costsInput, readFigures } from '../../../operations/models/costs.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { RetentionStore } from '../../../stores/postgres/retention/retention.store.ts';
import { UsageRollupStore } from '../../../stores/postgres/models/usage-rollup.store.ts';
import { onOneDay } from '../../support/one-day.ts';
import { Scene } from '../observations/scene.ts';

let scene: Scene;
let store: UsageRollupStore;
let accountId: string;
const opened: Client[] = [];

beforeAll(async () => {
  scene = await Scene.open();
  store = new UsageRollupStore(scene.pool);
});
afterAll(async () => {
  for (const client of opened) await client.end();
  await scene?.close();
});
async function begin(): Promise<void> {
  accountId = await scene.account();
}
beforeEach(begin);

async function client(): Promise<Client> {
  const made = new Client({ connectionString: scene.database.adminUrl });
  opened.push(made);
  await made.connect();
  return made;
}

const RESERVE = `insert into provider_attempts (account_id, id, role, provider, model, model_version, state, dispatched_at)
  values ($1, $2, 'ingest_extractor', 'openai-compatible', 'm', '1', 'dispatched', now())`;
const FINISH = `update provider_attempts set state = 'success', metered = true, input_tokens = 10, output_tokens = 1,
  duration_ms = 5, finished_at = clock_timestamp() where account_id = $1 and id = $2`;

async function reserved(): Promise<string> {
  const id = uuidv7();
  await scene.admin.query(RESERVE, [accountId, id]);
  return id;
}

function figures(now = new Date()) {
  const inAccount = createInAccount(scene.pool);
  const context = { inAccount, costProfile: PLANNING_REFERENCE, now, tokenLimits: {} };
  return readFigures(context, accountId, costsInput.parse({ by: 'scope' }));
}

async function calls(): Promise<number> {
  return (await figures()).event_count;
}

async function foldedCalls(): Promise<number> {
  const { rows } = await scene.admin.query<{ n: number }>(
    'select coalesce(sum(calls), 0)::integer as n from usage_days where account_id = $1',
    [accountId],
  );
  return rows[0]?.n ?? 0;
}

describe('what is committed late', () => {
  test('is folded late, once, and shown from its commit on', async () => {
    const [early, late] = [await reserved(), await reserved()];
    const slow = await client();
    await slow.query('begin');
    await slow.query(FINISH, [accountId, late]);
    await scene.admin.query(FINISH, [accountId, early]);
    await store.fold(accountId);
    expect([await foldedCalls(), await calls()]).toEqual([1, 1]);
    // A whole fold passes between the end of the call and its commit.
    await store.fold(accountId);
    await slow.query('commit');
    expect([await foldedCalls(), await calls()]).toEqual([1, 2]);
    await store.fold(accountId);
    await store.fold(accountId);
    expect([await foldedCalls(), await calls()]).toEqual([2, 2]);
  });

  test('counts not at all when it is taken back', async () => {
    const id = await reserved();
    const slow = await client();
    await slow.query('begin');
    await slow.query(FINISH, [accountId, id]);
    await store.fold(accountId);
    await slow.query('rollback');
    await store.fold(accountId);
    expect(await calls()).toBe(0);
    await scene.admin.query(FINISH, [accountId, id]);
    expect(await calls()).toBe(1);
  });

  test('does not keep the calls of others from being folded', async () => {
    const idle = await client();
    await idle.query('begin');
    await idle.query('select pg_current_xact_id()');
    await scene.admin.query(FINISH, [accountId, await reserved()]);
    await store.fold(accountId);
    expect(await foldedCalls()).toBe(1);
    await idle.query('rollback');
  });
});

describe('several processes', () => {
  test('that fold one account at once fold each call once', async () => {
    for (let n = 0; n < 30; n += 1) {
      await scene.admin.query(FINISH, [accountId, await reserved()]);
    }
    await Promise.all(Array.from({ length: 8 }, () => store.fold(accountId)));
    await store.fold(accountId);
    expect([await foldedCalls(), await calls()]).toEqual([30, 30]);
  });

  test('pass by an account that somebody else folds', async () => {
    await scene.admin.query(FINISH, [accountId, await reserved()]);
    const other = await client();
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `usage:${accountId}`,
    ]);
    expect(await store.fold(accountId)).toBe(false);
    expect([await foldedCalls(), await calls()]).toEqual([0, 1]);
    await other.query('rollback');
  });

  test('that are killed in a fold leave every call to the next one', async () => {
    await scene.admin.query(FINISH, [accountId, await reserved()]);
    const killed = await client();
    killed.on('error', () => undefined);
    await killed.query('begin');
    await killed.query('delete from usage_entries where account_id = $1', [accountId]);
    await killed.query(
      `insert into usage_days values ($1, current_date, 'ingest_extractor', 'openai-compatible', 'm', 1, 0, 0, 10, 1, 0, 0, 5)`,
      [accountId],
    );
    const { rows } = await killed.query<{ pid: number }>('select pg_backend_pid() as pid');
    await scene.admin.query('select pg_terminate_backend($1, 10000)', [rows[0]?.pid]);
    opened.splice(opened.indexOf(killed), 1);
    await store.fold(accountId);
    expect([await foldedCalls(), await calls()]).toEqual([1, 1]);
  });
});

describe('what a call is', () => {
  const end = (id: string, state: string, metered: boolean) =>
    scene.admin.query(
      `update provider_attempts set state = $3::attempt_state, metered = $4, input_tokens = 9, finished_at = clock_timestamp()
       where account_id = $1 and id = $2`,
      [accountId, id, state, metered],
    );

  test('a reservation that was given back is none; a call under way is none yet', async () => {
    const id = uuidv7();
    await scene.admin.query(RESERVE.replace("'dispatched', now()", "'reserved', null"), [
      accountId,
      id,
    ]);
    await reserved();
    await end(id, 'cancelled', false);
    expect(await calls()).toBe(0);
  });

  test('one that was cancelled, failed or timed out is one, and costs nothing without a number of tokens', async () => {
    for (const state of ['cancelled', 'error', 'timeout', 'success']) {
      await end(await reserved(), state, false);
    }
    await end(await reserved(), 'error', true);
    const {
      estimated_model_cost_usd_micros: cost,
      event_count: count,
      series,
      tokens,
    } = await figures();
    expect([count, tokens.input, cost]).toEqual([5, 9, 2]);
    expect(series).toEqual([
      {
        key: null,
        calls: 5,
        errors: 3,
        unmetered: 4,
        input_tokens: 9,
        output_tokens: 0,
        embedding_tokens: 0,
        usd_micros: 2,
      },
    ]);
  });

  test('its row may go once it has ended: the figures stay', async () => {
    await scene.admin.query(FINISH, [accountId, await reserved()]);
    await scene.admin.query('delete from provider_attempts where account_id = $1', [accountId]);
    expect(await calls()).toBe(1);
    await store.fold(accountId);
    expect(await calls()).toBe(1);
  });
});

describe('what a process counts', () => {
  const call = () => ({
    accountId,
    role: 'embedder' as const,
    provider: 'deterministic',
    model: 'ngrams',
    failed: false,
    metered: true,
    durationMs: 3,
  });

  test('is in the figures after a flush, without a row of the ledger', async () => {
    const counts = createUsageCounts();
    const upkeep = createUsageUpkeep({ store, counts, onFailure: () => undefined });
    for (let n = 0; n < 5; n += 1) counts.request(accountId);
    counts.call(call());
    counts.call({ ...call(), failed: true, metered: false });
    await upkeep.flush();
    const before = await figures();
    expect([before.api_requests, before.event_count, before.estimated_model_cost]).toEqual([
      5, 2, 0,
    ]);
    expect(before.series).toMatchObject([{ key: null, calls: 2, errors: 1, unmetered: 1 }]);
    await upkeep.fold(new AbortController().signal);
    await upkeep.flush();
    expect(await figures()).toEqual(before);
    const { rowCount } = await scene.admin.query(
      'select from provider_attempts where account_id = $1',
      [accountId],
    );
    expect(rowCount).toBe(0);
  });

  test('is kept while the database is away, and written once it is back', async () => {
    const counts = createUsageCounts();
    const failures: unknown[] = [];
    const away = new UsageRollupStore(scene.pool);
    away.enter = () => Promise.reject(new Error('away'));
    counts.request(accountId);
    counts.call(call());
    await createUsageUpkeep({
      store: away,
      counts,
      onFailure: (error) => failures.push(error),
    }).flush();
    expect(failures).toHaveLength(1);
    counts.request(accountId);
    await createUsageUpkeep({ store, counts, onFailure: () => undefined }).flush();
    expect(await figures()).toMatchObject({ api_requests: 2, event_count: 1 });
  });
});

describe('the window', () => {
  test(
    'begins where days were pruned, and everything before counts no more, pruned or not',
    onOneDay(async () => {
      const today = utcDay(new Date());
      for (const daysAgo of [0, 5, 10]) {
        const id = await reserved();
        await scene.admin.query(
          'update provider_attempts set reserved_at = now() - make_interval(days => $3) where account_id = $1 and id = $2',
          [accountId, id, daysAgo],
        );
        await scene.admin.query(FINISH, [accountId, id]);
      }
      await store.fold(accountId);
      expect(await figures()).toMatchObject({
        event_count: 3,
        window: { from: utcDay(new Date(), -10), to: today },
      });
      const retention = new RetentionStore(scene.pool);
      const place = { kind: 'usage_days', at: null, afterId: null } as const;
      const page = () => retention.page({ accountId, place, days: 3, limit: 1 });
      expect((await page()).next).not.toBeNull();
      const window = { from: utcDay(new Date(), -3), to: today };
      expect(await figures()).toMatchObject({ event_count: 1, window });
      while ((await page()).next !== null);
      expect(await figures()).toMatchObject({ event_count: 1, window });
      expect(await foldedCalls()).toBe(1);
    }, begin),
  );
});
