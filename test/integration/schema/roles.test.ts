/** The roles that `provision` makes, on a database server of our own whose administrators are not all superusers. */
import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { prepareExternalDatabase } from '../../../runtime/start/database.ts';
import { startEmbedded, type EmbeddedStack } from '../../../embedded/index.ts';

const SECRET_KEY = randomBytes(32).toString('base64url');
const ADMIN_PASSWORD = randomBytes(16).toString('hex');

let stack: EmbeddedStack;
let superuserUrl: string;

beforeAll(async () => {
  stack = await startEmbedded({
    ephemeral: true,
    env: { PATH: '/usr/bin:/bin' },
    say: () => undefined,
    external: ['temporal', 'meilisearch', 'qdrant'],
  });
  if (stack.postgres === undefined) throw new Error('Postgres did not start');
  superuserUrl = stack.postgres.superuserUrl;
  await query(
    superuserUrl,
    `create role manager login createdb createrole password '${ADMIN_PASSWORD}'`,
  );
});
afterAll(() => stack.stop());

async function query(url: string, text: string, values: readonly unknown[] = []) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<Record<string, unknown>>(text, [...values]);
  } finally {
    await client.end();
  }
}

function as(role: string, password: string, database = 'postgres'): string {
  const url = new URL(superuserUrl);
  url.username = role;
  url.password = encodeURIComponent(password);
  url.pathname = `/${database}`;
  return url.href;
}

const prepare = (databaseUrl: string, ownerUrl?: string) =>
  prepareExternalDatabase({ databaseUrl, ownerUrl, secretKey: SECRET_KEY });

/** How earlier versions derived the passwords of roles from the service's key. */
const derived = (role: string) =>
  createHmac('sha256', SECRET_KEY).update(`database-role:${role}`).digest('base64url');

test('an administrator without superuser rights migrates repeatedly, and the owner has no password', async () => {
  const url = as('manager', ADMIN_PASSWORD, 'vouch');
  const appUrl = await prepare(url, as('manager', ADMIN_PASSWORD));
  expect(new URL(appUrl).username).toBe('vouch_app');
  expect(await prepare(url, as('manager', ADMIN_PASSWORD))).toBe(appUrl);
  const { rows } = await query(
    superuserUrl,
    `select rolcanlogin, rolpassword is null as without_password from pg_authid where rolname = 'vouch_owner'`,
  );
  expect(rows).toEqual([{ rolcanlogin: false, without_password: true }]);
});

test('the password derived from the service key opens the database as vouch_app and as no other role', async () => {
  const { rows } = await query(
    as('vouch_app', derived('vouch_app'), 'vouch'),
    'select current_user::text as role',
  );
  expect(rows).toEqual([{ role: 'vouch_app' }]);
  await expect(
    query(as('vouch_owner', derived('vouch_owner'), 'vouch'), 'select 1'),
  ).rejects.toThrow();
});

test('an owner that could log in before loses its log-in at the next migration', async () => {
  await query(superuserUrl, `alter role vouch_owner login password '${derived('vouch_owner')}'`);
  await query(as('vouch_owner', derived('vouch_owner'), 'vouch'), 'select 1');
  await prepare(as('manager', ADMIN_PASSWORD, 'vouch'), as('manager', ADMIN_PASSWORD));
  await expect(
    query(as('vouch_owner', derived('vouch_owner'), 'vouch'), 'select 1'),
  ).rejects.toThrow();
});
