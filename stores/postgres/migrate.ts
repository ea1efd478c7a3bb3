/**
 * Forward-only migrations in plain SQL, run under the role vouch_owner over a plain `pg` client: slonik must never see
 * multi-statement text. The version row is written first, so of two racing processes one waits and finds
 * the work done. An applied file that changed afterwards stops the start.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { PreconditionError } from './precondition-error.ts';

export interface Migration {
  readonly name: string;
  readonly sha256: string;
  readonly text: string;
}

const FOLDER = new URL('./migrations/', import.meta.url);
const LOCK_KEY = 0x766f756368; // "vouch"

/** The migrations that ship with this build, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8');
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

async function applied(client: Client): Promise<Map<string, string>> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
  await client.query('grant select on schema_migrations to vouch_app');
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations order by name',
  );
  return new Map(rows.map((row) => [row.name, row.sha256]));
}

/** How a migration asks for the locks that it needs. */
export interface LockPatience {
  /** Milliseconds that one try waits for a lock; all who come for the table meanwhile wait behind it. */
  readonly lockTimeoutMs: number;
  /** Milliseconds until the next try, in which those who waited go on. */
  readonly pauseMs: number;
  readonly tries: number;
}

const LOCK_PATIENCE: LockPatience = { lockTimeoutMs: 2_000, pauseMs: 1_000, tries: 200 };
/** SQLSTATE lock_not_available. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Applies the migration in one transaction. A lock that somebody holds is asked for again and again, and given up in
 * between, so that a long transaction of somebody else does not stop the whole service behind it.
 * @throws PreconditionError when the lock is not to be had.
 */
export async function applyMigration(
  client: Client,
  migration: Migration,
  patience: LockPatience = LOCK_PATIENCE,
): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await apply(client, migration, patience.lockTimeoutMs);
      return;
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
      if (tried >= patience.tries) {
        throw new PreconditionError(
          `migration ${migration.name} needs a lock that another transaction did not release in ${tried} tries. It changed nothing. End the long transaction, which pg_stat_activity names, and start again`,
          { cause: error },
        );
      }
    }
    await sleep(patience.pauseMs);
  }
}

async function apply(client: Client, migration: Migration, lockTimeoutMs: number): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [
      migration.name,
      migration.sha256,
    ]);
    await client.query(migration.text);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * Brings the database up to this build and answers the names applied now. `adminUrl` connects as a role that may
 * become vouch_owner (`provision` sees to that): vouch_owner itself cannot log in.
 * Throws `PreconditionError` when an applied migration differs from the shipped file, or is not shipped at all.
 */
export async function migrate(adminUrl: string): Promise<string[]> {
  const migrations = await readMigrations();
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query('set role vouch_owner');
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    const done = await applied(client);
    const shipped = new Map(migrations.map((migration) => [migration.name, migration.sha256]));
    for (const [name, sha256] of done) {
      if (shipped.get(name) !== sha256) {
        throw new PreconditionError(
          `migration ${name} was applied in another form than this build has. Use the build that migrated this database, or restore a backup`,
        );
      }
    }
    const pending = migrations.filter((migration) => !done.has(migration.name));
    for (const migration of pending) await applyMigration(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}
