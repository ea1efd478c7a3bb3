/**
 * What must exist before the first migration: the four roles and the database. Run with a role that may
 * create both (the embedded superuser, or SERVICE_DATABASE_OWNER_URL on a managed server).
 */
import { Client, escapeIdentifier, escapeLiteral } from 'pg';

export interface ProvisionOptions {
  /** Connects to any existing database of the server, with the right to create roles and databases. */
  readonly adminUrl: string;
  readonly database: string;
  readonly ownerPassword: string;
  readonly appPassword: string;
}

const NO_LOGIN_ROLES = ['vouch_lookup', 'vouch_eraser'] as const;

/**
 * Creates the role, or renews its password. Only a superuser may spell out what a role is not, so nothing
 * but the log-in is said; `assertLeastPrivilege` refuses a role that turned out stronger.
 */
async function ensureRole(client: Client, role: string, login: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  const verb = rowCount === 0 ? 'create' : 'alter';
  await client.query(`${verb} role ${escapeIdentifier(role)} with ${login}`);
}

/** Gives the database to vouch_owner: it then owns the schema, and may grant on it. */
async function ensureDatabase(client: Client, database: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [database],
  );
  const name = escapeIdentifier(database);
  if (rows[0]?.owner === 'vouch_owner') return;
  // A role that is no superuser must be a member of the one it hands a database to.
  await client.query('grant vouch_owner to current_user');
  if (rows[0] === undefined) {
    await client.query(
      `create database ${name} owner vouch_owner encoding 'UTF8' template template0`,
    );
  } else {
    await client.query(`alter database ${name} owner to vouch_owner`);
  }
}

/** Creates or repairs the roles, and the database when it is absent. May be repeated. */
export async function provision(options: ProvisionOptions): Promise<void> {
  const client = new Client({ connectionString: options.adminUrl });
  await client.connect();
  try {
    await ensureRole(
      client,
      'vouch_owner',
      `login password ${escapeLiteral(options.ownerPassword)}`,
    );
    await ensureRole(client, 'vouch_app', `login password ${escapeLiteral(options.appPassword)}`);
    for (const role of NO_LOGIN_ROLES) {
      await ensureRole(client, role, 'nologin');
      // The owner must be a member to hand functions over; it inherits nothing from it.
      await client.query(`grant ${role} to vouch_owner with inherit false, set true`);
    }
    await ensureDatabase(client, options.database);
  } finally {
    await client.end();
  }
}
