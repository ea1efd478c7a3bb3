/** What callers are told when Postgres goes away, and that nothing of the failure leaks into it. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { withRefusals } from '../../../stores/postgres/errors.ts';
import { openPool } from '../../../stores/postgres/pool.ts';
import { buildIdentity } from '../../../runtime/container/identity.ts';
import { createSecretIssuer } from '../../../runtime/identity/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** A wire to Postgres that can be cut. */
interface Wire {
  readonly url: string;
  cut(): Promise<void>;
}

async function wireTo(target: string): Promise<Wire> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a database that is away makes authentication unavailable, and a retry is advised', async () => {
  const wire = await wireTo(database.appUrl);
  const pool = await openPool(wire.url, { maxPoolSize: 2 });
  pool.on('error', () => undefined);
  const identity = buildIdentity({ db: pool, attemptHashKey: new Uint8Array(32) });
  const key = createSecretIssuer().apiKey().text;
  expect(await identity.authenticate(key)).toBeNull();
  await wire.cut();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(identity.authenticate(key)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 2,
      cause: undefined,
    });
  }
  await pool.end();
});

test('a statement that takes too long is unavailable, a wrong statement is our defect', async () => {
  const pool = await openPool(database.appUrl, { maxPoolSize: 1, statementTimeoutMs: 100 });
  pool.on('error', () => undefined);
  await expect(
    withRefusals(() => pool.query(sql.unsafe`select pg_sleep(10)`)),
  ).rejects.toMatchObject({ code: 'unavailable' });
  await expect(withRefusals(() => pool.query(sql.unsafe`select no_such`))).rejects.toMatchObject({
    code: '42703',
  });
  await pool.end();
});
