/** What transactions of accounts ask of the server, through the driver of the pool. */
import { createServer, connect, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { InvalidInputError, sql, StatementCancelledError } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { openPool, withAccount, type Queryable } from '../../stores/postgres/pool.ts';
import { openTestDatabase, type OpenDatabase } from '../support/database.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const account = uuidv7();
const READS = { readOnly: true } as const;
const setting = sql.type(z.object({ account: z.string().nullable() }))`
  select current_setting('app.account_id', true) as account`;
const accountOf = (tx: Queryable) => tx.oneFirst(setting);

/** A way to the database that counts the packets of its clients. */
async function countingWay(url: string) {
  const target = new URL(url);
  let packets = 0;
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.on('data', () => (packets += 1));
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const way = new URL(url);
  way.port = String((server.address() as AddressInfo).port);
  return {
    url: way.href,
    async during(work: () => Promise<unknown>): Promise<number> {
      const before = packets;
      await work();
      return packets - before;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

test('a transaction that only reads sends its beginning with its first statement, another one with its account', async () => {
  const way = await countingWay(database.appUrl);
  const pool = await openPool(way.url, { maxPoolSize: 1 });
  const ended = (work: (tx: Queryable) => Promise<unknown>, limits = {}) =>
    way.during(async () => {
      await withAccount(pool, account, work, limits);
      // Of the one connection: nothing is sent after what ends the transaction before.
      await pool.query(sql.unsafe`select 1`);
    });
  const twice = async (tx: Queryable) => [await accountOf(tx), await accountOf(tx)];
  const { signal } = new AbortController();
  // Statements that come again get a name, and are sent in fewer bytes then.
  for (let n = 0; n < 4; n += 1) await ended(accountOf, { ...READS, signal });
  expect(await ended(accountOf, { ...READS, signal })).toBe(3);
  expect(await ended(twice, READS)).toBe(4);
  expect(await ended(accountOf)).toBe(4);
  await pool.end();
  await way.close();
});

describe.each([
  ['only reads', READS],
  ['may write', {}],
] as const)('a transaction that %s', (_what, limits) => {
  test('has its account from its first statement to its end, and no longer', async () => {
    const pool = await openPool(database.appUrl, { maxPoolSize: 1 });
    expect(await withAccount(pool, account, accountOf, limits)).toBe(account);
    expect(await accountOf(pool)).toBe('');
    await pool.end();
  });

  test('that cannot be set up fails, does nothing, and leaves the pool as it was', async () => {
    const tooLong = { ...limits, statementTimeoutMs: 1e15 };
    const work = (tx: Queryable) => tx.query(sql.unsafe`select pg_sleep(0)`);
    const failing = withAccount(database.pool, account, work, tooLong);
    await expect(failing).rejects.toMatchObject({ code: '22023' });
    expect(await withAccount(database.pool, account, accountOf, limits)).toBe(account);
  });

  test('is cancelled in its first statement when its caller leaves', async () => {
    const caller = new AbortController();
    const sleeping = withAccount(
      database.pool,
      account,
      (tx) => {
        setTimeout(() => caller.abort(), 20);
        return tx.query(sql.unsafe`select pg_sleep(600)`);
      },
      { ...limits, signal: caller.signal },
    );
    await expect(sleeping).rejects.toBeInstanceOf(StatementCancelledError);
  });
});

test('a transaction that only reads and asks nothing is not begun', async () => {
  const begun = await withAccount(
    database.pool,
    account,
    () => {
      const open = `select count(*)::int as open from pg_stat_activity
        where usename = 'vouch_app' and datname = $1 and xact_start is not null`;
      return database.rows(open, [database.name]);
    },
    READS,
  );
  expect(begun).toEqual([{ open: 0 }]);
});

test('a transaction that only reads is refused a write, also as its first statement', async () => {
  const work = (tx: Queryable) => tx.query(sql.unsafe`create temporary table t (n int)`);
  const writing = withAccount(database.pool, account, work, READS);
  await expect(writing).rejects.toMatchObject({ code: '25006' });
});

test('a transaction whose connection is lost fails, and the next one has another connection', async () => {
  const pool = await openPool(database.appUrl, { maxPoolSize: 1 });
  const pid = sql.type(z.object({ pid: z.int() }))`select pg_backend_pid() as pid`;
  const before = await pool.oneFirst(pid);
  const ended = withAccount(pool, account, async (tx) => {
    await database.rows('select pg_terminate_backend($1)', [before]);
    await tx.query(sql.unsafe`select pg_sleep(600)`);
  });
  await expect(ended).rejects.toThrow();
  expect(await pool.oneFirst(pid)).not.toBe(before);
  await pool.end();
});

test('values are read as the service knows them, one by one and in arrays', async () => {
  const { rows } = await database.pool.query(sql.unsafe`
    select 9007199254740991::int8 as big, array[1, null, 3]::int8[] as bigs, 1.5::numeric as fraction,
      array[1.5, null]::numeric[] as fractions, date '2026-02-03' as day, array[date '2026-02-03'] as days,
      interval '90 minutes' as span, timestamptz '2026-02-03T04:05:06Z' as at,
      array[timestamptz '2026-02-03T04:05:06Z', 'infinity', null] as instants, array['a', null] as texts`);
  expect(rows).toEqual([
    {
      big: 9_007_199_254_740_991,
      bigs: [1, null, 3],
      fraction: 1.5,
      fractions: [1.5, null],
      day: '2026-02-03',
      days: ['2026-02-03'],
      span: 5_400,
      at: '2026-02-03T04:05:06.000Z',
      instants: ['2026-02-03T04:05:06.000Z', 'infinity', null],
      texts: ['a', null],
    },
  ]);
  const isNone = database.pool.query(sql.unsafe`select 'none'::int8`);
  await expect(isNone).rejects.toBeInstanceOf(InvalidInputError);
  const isTooBig = database.pool.query(sql.unsafe`select 9007199254740992::int8`);
  await expect(isTooBig).rejects.toThrow('bigint outside the safe range');
});
