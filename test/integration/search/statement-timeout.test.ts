/** A read that has lost its reader does not run on in the database. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql, StatementTimeoutError } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { withAccount } from '../../../stores/postgres/pool.ts';
import { Scene } from '../observations/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

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
  expect(await read()).toBe('30s');
  expect(await read({ statementTimeoutMs: null })).toBe('30s');
});
