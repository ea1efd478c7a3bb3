/** A database of its own for each test file, cloned from the migrated template. */
import { createHash, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { DatabasePool, Interceptor } from 'slonik';
import type { GivenPromise } from '../../domain/promises/kinds.ts';
import { openPool } from '../../stores/postgres/pool.ts';
import type { PromiseList } from '../../stores/promises/promise-list.ts';
import { judgesBy } from '../../runtime/container/forgetting.ts';
import { testServers } from './environment.ts';
import { HANGS_MS } from './patience.ts';

/** What the keys of holds are sealed with. */
export const TEST_SECRET_KEY = 'a secret key of a test, long enough';

export interface TestDatabase {
  readonly name: string;
  /** As the service connects: owns nothing, under row security. */
  readonly appUrl: string;
  /** As superuser, to look behind row security in assertions. */
  readonly adminUrl: string;
  drop(): Promise<void>;
}

async function asAdmin(run: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: `${testServers().postgresAdminUrl}/postgres` });
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
}

function appUrlFor(database: string): string {
  const { postgresAdminUrl, appPassword } = testServers();
  const url = new URL(`${postgresAdminUrl}/${database}`);
  url.username = 'vouch_app';
  url.password = appPassword;
  return url.href;
}

/** As if the service had been installed just now: the template is older, and readiness counts from the installation. */
async function installNow(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  await client.query('update sweep_passes set installed_at = clock_timestamp()');
  await client.end();
}

/** A copy of `template`, which nobody may be connected to; of the migrated one where none is named. */
export async function createTestDatabase(template?: string): Promise<TestDatabase> {
  const servers = testServers();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(async (client) => {
    await client.query(
      `create database ${name} template ${template ?? servers.templateDatabase} strategy file_copy owner vouch_owner`,
    );
    // A connection that lives for long plans a statement once; those of tests live for seconds, and half of what the
    // server did was planning.
    await client.query(`alter database ${name} set plan_cache_mode = force_generic_plan`);
  });
  const adminUrl = `${servers.postgresAdminUrl}/${name}`;
  await installNow(adminUrl);
  return {
    name,
    appUrl: appUrlFor(name),
    adminUrl,
    drop: () => asAdmin((client) => client.query(`drop database if exists ${name} with (force)`)),
  };
}

/** A database of its own, with the two ways in that a test uses. */
export interface OpenDatabase extends TestDatabase {
  /** As the service reaches it. */
  readonly pool: DatabasePool;
  /** What was promised on the pool, unless the test gave it a list. */
  readonly promised: readonly GivenPromise[];
  /** As superuser: sees every account. */
  readonly admin: Client;
  /** Rows as the superuser sees them. */
  readonly rows: (query: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
  /** Ends both and drops the database. */
  close(): Promise<void>;
}

/** A list of promises that keeps them in memory. */
export function listInMemory(promised: GivenPromise[]): PromiseList {
  return {
    append: async (given) => {
      promised.push(...given);
    },
    pathHash: (accountId, path) =>
      createHash('sha256')
        .update(accountId + path)
        .digest('hex'),
  };
}

/** `prepare` works on the database as superuser, before the service connects. */
export async function openTestDatabase(
  options: {
    readonly interceptors?: readonly Interceptor[];
    readonly prepare?: (database: TestDatabase) => Promise<void>;
    /** The database that this one is a copy of. */
    readonly template?: string;
    readonly promises?: PromiseList;
  } = {},
): Promise<OpenDatabase> {
  const database = await createTestDatabase(options.template);
  await options.prepare?.(database);
  // A statement that takes long on a busy machine is slow, and no fault.
  const limits = { maxPoolSize: 10, statementTimeoutMs: HANGS_MS };
  const promised: GivenPromise[] = [];
  const pool = await openPool(database.appUrl, {
    ...limits,
    judges: judgesBy(TEST_SECRET_KEY),
    promises: listInMemory(promised),
    ...options,
  });
  const admin = new Client({ connectionString: database.adminUrl });
  await admin.connect();
  return {
    ...database,
    pool,
    promised,
    admin,
    rows: async (query, values = []) =>
      (await admin.query<Record<string, unknown>>(query, [...values])).rows,
    async close() {
      await pool.end();
      await admin.end();
      await database.drop();
    },
  };
}
