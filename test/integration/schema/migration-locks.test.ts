/** A migration asks for its locks and gives them up in between, so that nobody waits behind it for long. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { applyMigration, type Migration } from '../../../stores/postgres/migrate.ts';
import { PreconditionError } from '../../../stores/postgres/precondition-error.ts';
import { operatorText } from '../../../runtime/start/failures.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
const clients: Client[] = [];

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.adminUrl });
  await client.connect();
  clients.push(client);
  return client;
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await database?.drop();
});

const migration = (name: string): Migration => ({
  name,
  sha256: '0'.repeat(64),
  text: `alter table scopes add column ${name} integer`,
});

/** Holds the table in a transaction until `release`. */
async function hold(): Promise<{ release: () => Promise<unknown> }> {
  const holder = await connect();
  await holder.query('begin');
  await holder.query('lock table scopes in access share mode');
  return { release: () => holder.query('commit') };
}

const patience = { lockTimeoutMs: 20, pauseMs: 20 };

test('waits for a transaction that is open for long, while others read and write', async () => {
  const [migrating, reader] = [await connect(), await connect()];
  const { release } = await hold();
  const applying = applyMigration(migrating, migration('late'), { ...patience, tries: 100_000 });
  // Each read finds its way between two tries.
  for (let n = 0; n < 20; n += 1) await reader.query('select count(*) from scopes');
  await release();
  await applying;
  const { rows } = await reader.query('select late from scopes');
  expect(rows).toEqual([]);
});

test('says what to do when the lock is not to be had, and has changed nothing', async () => {
  const [migrating, reader] = [await connect(), await connect()];
  const { release } = await hold();
  const failure: unknown = await applyMigration(migrating, migration('never'), {
    ...patience,
    tries: 3,
  }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PreconditionError);
  // What the start and `migrate` print.
  expect(operatorText(failure)).toContain('migration never needs a lock');
  await release();
  await expect(reader.query('select never from scopes')).rejects.toThrow('does not exist');
  const named = await reader.query(`select from schema_migrations where name = 'never'`);
  expect(named.rowCount).toBe(0);
});

test('of its own fault is not tried again', async () => {
  const migrating = await connect();
  const wrong = { ...migration('wrong'), text: 'select 1 / 0' };
  await expect(applyMigration(migrating, wrong, { ...patience, tries: 3 })).rejects.toThrow(
    'division by zero',
  );
});
