/**
 * Finds or makes the database: embedded, or the one that DATABASE_URL names. Afterwards it is migrated to
 * this build, and the service has an address that connects as `vouch_app`.
 */
import { createHmac } from 'node:crypto';
import { Client } from 'pg';
import { migrate } from '../../stores/postgres/migrate.ts';
import { openPool } from '../../stores/postgres/pool.ts';
import {
  assertDatabaseUsable,
  PreconditionError,
  schemaMark,
} from '../../stores/postgres/preconditions.ts';
import { provision } from '../../stores/postgres/provision.ts';

export interface DatabaseAccess {
  /** Connects with the right to create roles and the database. */
  readonly adminUrl: string;
  readonly database: string;
  readonly ownerPassword: string;
  readonly appPassword: string;
}

const DATABASE = 'vouch';

function address(base: string, role: string, password: string, database: string): string {
  const url = new URL(base);
  url.username = role;
  url.password = encodeURIComponent(password);
  url.pathname = `/${database}`;
  return url.href;
}

/** How the service connects: as the role that owns nothing. */
export function appAddress(access: DatabaseAccess): string {
  return address(access.adminUrl, 'vouch_app', access.appPassword, access.database);
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
 * @throws PreconditionError when the database holds somebody else's tables; nothing was touched then.
 */
export async function prepareDatabase(access: DatabaseAccess): Promise<string> {
  if (await databaseExists(access)) {
    const existing = new URL(access.adminUrl);
    existing.pathname = `/${access.database}`;
    if ((await withPool(existing.href, schemaMark)) === 'foreign') {
      throw new PreconditionError(
        `The database ${access.database} holds tables that are not ours: name an empty one in DATABASE_URL.`,
      );
    }
  }
  await provision(access);
  await migrate(address(access.adminUrl, 'vouch_owner', access.ownerPassword, access.database));
  const appUrl = appAddress(access);
  await withPool(appUrl, assertDatabaseUsable);
  return appUrl;
}

/** The embedded server's database. */
export function embeddedAccess(postgres: {
  readonly superuserUrl: string;
  readonly ownerPassword: string;
  readonly appPassword: string;
}): DatabaseAccess {
  return {
    adminUrl: postgres.superuserUrl,
    database: DATABASE,
    ownerPassword: postgres.ownerPassword,
    appPassword: postgres.appPassword,
  };
}

/** A role's password on a server that is not ours: the same in every process that holds the key. */
function derivedPassword(secretKey: string, role: string): string {
  return createHmac('sha256', secretKey).update(`database-role:${role}`).digest('base64url');
}

/**
 * The database of DATABASE_URL. When it connects as `vouch_app` it must be migrated already, unless
 * SERVICE_DATABASE_OWNER_URL says how to; any other role is taken to be allowed to make the four roles.
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
    ownerPassword: derivedPassword(options.secretKey, 'vouch_owner'),
    appPassword: connectsAsApp
      ? decodeURIComponent(url.password)
      : derivedPassword(options.secretKey, 'vouch_app'),
  });
}
