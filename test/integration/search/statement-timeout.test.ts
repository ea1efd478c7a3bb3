/** A read that has lost its reader does not run on in the database. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql, StatementCancelledError, StatementTimeoutError } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { openPool, withAccount, type Queryable } from '../../../stores/postgres/pool.ts';
import { Scene } from '../observations/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const backend = z.object({ pid: z.number() });
const timeout = sql.type(z.object({ statement_timeout: z.string() }))`show statement_timeout`;

test('a statement is ended by the server when its time is over', async () => {
  const sleeping = withAccount(
    scene.pool,
    uuidv7(),
    (tx) => tx.query(sql.unsafe`select pg_sleep(600)`),
    { statementTimeoutMs: 20 },
  );
  await expect(sleeping).rejects.toBeInstanceOf(StatementTimeoutError);
});

test('the time holds for one transaction, and none is set where none is asked for', async () => {
  const account = uuidv7();
  const read = (limits?: { statementTimeoutMs: number | null }) =>
    withAccount(scene.pool, account, (tx) => tx.oneFirst(timeout), limits);
  expect(await read({ statementTimeoutMs: 1_234.5 })).toBe('1235ms');
  expect(await read()).toBe('3min');
  expect(await read({ statementTimeoutMs: null })).toBe('3min');
});

describe('a transaction with a signal', () => {
  const gone = new Error('gone');
  const sleeps = sql.unsafe`select pg_sleep(600)`;

  test('is cancelled on the server when the signal is aborted', async () => {
    const caller = new AbortController();
    const sleeping = withAccount(
      scene.pool,
      uuidv7(),
      (tx) => {
        setTimeout(() => caller.abort(gone), 20);
        return tx.query(sleeps);
      },
      { signal: caller.signal },
    );
    await expect(sleeping).rejects.toBeInstanceOf(StatementCancelledError);
  });

  test('is not begun after the abort, and costs no connection', async () => {
    const pool = await openPool(scene.database.appUrl, { maxPoolSize: 1 });
    const pid = () => pool.oneFirst(sql.type(backend)`select pg_backend_pid() as pid`);
    const before = await pid();
    const caller = new AbortController();
    const busy = withAccount(pool, uuidv7(), (tx) => tx.query(sql.unsafe`select pg_sleep(0.2)`));
    let begun = 0;
    const waits = withAccount(pool, uuidv7(), async () => (begun += 1), {
      signal: caller.signal,
    });
    caller.abort(gone);
    await expect(waits).rejects.toBe(gone);
    const late = withAccount(pool, uuidv7(), async () => (begun += 1), { signal: caller.signal });
    await expect(late).rejects.toBe(gone);
    await busy;
    expect([begun, await pid()]).toEqual([0, before]);
    await pool.end();
  });

  test('whose pool has no other connection is ended by its statement timeout', async () => {
    const pool = await openPool(scene.database.appUrl, { maxPoolSize: 1 });
    const caller = new AbortController();
    const work = (tx: Queryable) => {
      caller.abort(gone);
      return tx.query(sleeps);
    };
    const limits = { signal: caller.signal, statementTimeoutMs: 300 };
    const sleeping = withAccount(pool, uuidv7(), work, limits);
    await expect(sleeping).rejects.toBeInstanceOf(StatementTimeoutError);
    expect(await pool.oneFirst(sql.type(backend)`select 1 as pid`)).toBe(1);
    await pool.end();
  });

  test('meets no later transaction of its connection with what cancels it', async () => {
    const pool = await openPool(scene.database.appUrl, { maxPoolSize: 2 });
    const account = uuidv7();
    for (let n = 0; n < 40; n += 1) {
      const caller = new AbortController();
      const work = (tx: Queryable) => {
        caller.abort(gone);
        // Ends at about the time of the first request to cancel.
        return tx.query(sql.unsafe`select pg_sleep(${(8 + n / 10) / 1000}::float8)`);
      };
      const short = withAccount(pool, account, work, { signal: caller.signal });
      await Promise.allSettled([short]);
      const next = withAccount(pool, account, (tx) => tx.query(sql.unsafe`select pg_sleep(0.02)`));
      await expect(next).resolves.toBeDefined();
    }
    await pool.end();
  });
});
