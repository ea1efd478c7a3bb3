/**
 * Finds or makes the database: the embedded one, or the one that DATABASE_URL names. Afterwards it is migrated to
 * this build, and the service has an address that connects as `vouch_app`.
 */
import { createHmac } from 'node:crypto';
import { Client } from 'pg';
import { migrate } from '../../stores/postgres/migrate.ts';
import { openPool } from '../../stores/postgres/pool.ts';
import { PreconditionError } from '../../stores/postgres/precondition-error.ts';
import { assertDatabaseUsable, schemaMark } from '../../stores/postgres/preconditions.ts';
import { provision, type DatabaseAccess } from '../../stores/postgres/provision.ts';

const DATABASE = 'vouch';

/** The address of the service's database that connects with the right to create roles. */
function adminAddress({ adminUrl, database }: DatabaseAccess): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** The address that the service uses: it connects as `vouch_app`, which owns nothing. */
export function appAddress(access: DatabaseAccess): string {
  const url = new URL(adminAddress(access));
  url.username = 'vouch_app';
  url.password = encodeURIComponent(access.appPassword);
  return url.href;
}

async function withPool<T>(
  url: string,
  work: (db: Awaited<ReturnType<typeof openPool>>) => Promise<T>,
): Promise<T> {
  const db = await openPool(url, { maxPoolSize: 2 });
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

async function databaseExists({ adminUrl, database }: DatabaseAccess): Promise<boolean> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      database,
    ]);
    return rowCount === 1;
  } finally {
    await client.end();
  }
}

/**
 * Creates roles and database where they are missing and migrates. Answers the address of `vouch_app`.
 * @throws PreconditionError when the database holds tables of another program; nothing was changed then.
 */
export async function prepareDatabase(access: DatabaseAccess): Promise<string> {
  if (await databaseExists(access)) {
    if ((await withPool(adminAddress(access), schemaMark)) === 'foreign') {
      throw new PreconditionError(
        `The database ${access.database} contains tables of another application. Set DATABASE_URL to an empty database.`,
      );
    }
  }
  await provision(access);
  await migrate(adminAddress(access));
  const appUrl = appAddress(access);
  await withPool(appUrl, assertDatabaseUsable);
  return appUrl;
}

/** The embedded server's database. */
export function embeddedAccess(postgres: {
  readonly superuserUrl: string;
  readonly appPassword: string;
}): DatabaseAccess {
  return { adminUrl: postgres.superuserUrl, database: DATABASE, appPassword: postgres.appPassword };
}

/**
 * The password of vouch_app on an external server, derived from the key, so that every process with the key has it.
 * Such a process connects as vouch_app anyway; no other role's password can be derived from the key.
 */
function appPassword(secretKey: string): string {
  return createHmac('sha256', secretKey).update('database-role:vouch_app').digest('base64url');
}

/**
 * The database of DATABASE_URL. When that connects as `vouch_app`, the database must be migrated already, or
 * SERVICE_DATABASE_OWNER_URL must be set to migrate it. Any other role must be allowed to make the four roles.
 * Answers the address of `vouch_app`.
 */
export async function prepareExternalDatabase(options: {
  readonly databaseUrl: string;
  readonly ownerUrl: string | undefined;
  readonly secretKey: string;
}): Promise<string> {
  const url = new URL(options.databaseUrl);
  const database = decodeURIComponent(url.pathname.slice(1)) || DATABASE;
  const connectsAsApp = decodeURIComponent(url.username) === 'vouch_app';
  if (connectsAsApp && options.ownerUrl === undefined) {
    await withPool(options.databaseUrl, assertDatabaseUsable);
    return options.databaseUrl;
  }
  return prepareDatabase({
    adminUrl: options.ownerUrl ?? options.databaseUrl,
    database,
    appPassword: connectsAsApp ? decodeURIComponent(url.password) : appPassword(options.secretKey),
  });
}
