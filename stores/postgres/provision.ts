/**
 * What must exist before the first migration: the four roles and the database. Run with a role that may
 * create both (the embedded superuser, or SERVICE_DATABASE_OWNER_URL on a managed server).
 */
import { Client, escapeIdentifier, escapeLiteral } from 'pg';

export interface DatabaseAccess {
  /** Connects to any existing database of the server, with the right to create roles and databases. */
  readonly adminUrl: string;
  readonly database: string;
  readonly appPassword: string;
}

const OWNER = 'vouch_owner';
/** Roles that own the functions which read or erase across accounts. */
/** Roles that own the functions which look across accounts, and those which erase. */
export const FUNCTION_OWNERS = ['vouch_lookup', 'vouch_eraser'] as const;
/** Takes away a log-in that an earlier build gave. */
const NO_LOGIN = 'nologin password null';

/**
 * Creates the role, or renews its password. Only a superuser may state what a role is not (`nosuperuser`), so only
 * the log-in is stated; `assertLeastPrivilege` refuses a role that turned out stronger.
 */
async function ensureRole(client: Client, role: string, login: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  const verb = rowCount === 0 ? 'create' : 'alter';
  await client.query(`${verb} role ${escapeIdentifier(role)} with ${login}`);
}

/**
 * The owner has no log-in, so there is no secret by which a process that works on the data could become it. Only
 * a role that may create roles may become it, for as long as a migration takes.
 */
async function ensureOwner(client: Client): Promise<void> {
  await ensureRole(client, OWNER, NO_LOGIN);
  const { rows } = await client.query<{ may_become: boolean }>(
    "select pg_has_role(current_user, $1, 'set') as may_become",
    [OWNER],
  );
  if (rows[0]?.may_become !== true) await client.query(`grant ${OWNER} to current_user`);
}

/** Gives the database to vouch_owner: it then owns the schema, and may grant on it. */
async function ensureDatabase(client: Client, database: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [database],
  );
  const name = escapeIdentifier(database);
  if (rows[0]?.owner === OWNER) return;
  if (rows[0] === undefined) {
    await client.query(`create database ${name} owner ${OWNER} encoding 'UTF8' template template0`);
  } else {
    await client.query(`alter database ${name} owner to ${OWNER}`);
  }
}

/** Creates or repairs the roles, and the database when it is absent. May be repeated. */
export async function provision(options: DatabaseAccess): Promise<void> {
  const client = new Client({ connectionString: options.adminUrl });
  await client.connect();
  try {
    await ensureOwner(client);
    await ensureRole(client, 'vouch_app', `login password ${escapeLiteral(options.appPassword)}`);
    for (const role of FUNCTION_OWNERS) {
      await ensureRole(client, role, NO_LOGIN);
      // vouch_owner must be a member to hand functions over to the role; it inherits none of its rights.
      await client.query(`grant ${role} to ${OWNER} with inherit false, set true`);
    }
    await ensureDatabase(client, options.database);
  } finally {
    await client.end();
  }
}
