/**
 * Postgres 18 as a child. The package's own class is not used: it hooks the process's signals, writes a
 * password file that all users can read, and leaves its server running after a kill -9.
 */
import { execFile } from 'node:child_process';
import { chownSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { childEnvironment } from './child-environment.ts';
import { flags, repeated } from './command-line.ts';
import { causeText, EmbeddedError, errorCode } from '../errors.ts';
import { clearPostmasterFile } from '../processes/leftovers.ts';
import type { EnvironmentVariables, Say } from '../names.ts';
import type { PostgresHome } from './postgres-home.ts';
import { readIfPresent, writePrivateFile } from '../private-files.ts';
import type { ServerSpec } from '../processes/server-process.ts';
import { postgresQuit, postgresStop } from '../processes/terminate.ts';

export interface PostgresSettings {
  readonly host: string;
  readonly port: number;
  readonly superuser: { readonly user: string; readonly password: string };
  /** Connects as the superuser to the maintenance database `postgres`. */
  readonly superuserUrl: string;
  /** Generated password of the login role of the running service. */
  readonly appPassword: string;
}

export interface PostgresOptions {
  readonly home: PostgresHome;
  readonly logFile: string;
  readonly port: number;
  readonly password: string;
  /** False for a stack that is thrown away: no write is flushed to the disk. */
  readonly durable: boolean;
  readonly env: EnvironmentVariables;
  readonly say: Say;
}

const host = '127.0.0.1';
const superuser = 'postgres';
const majorVersion = '18';
/** SQLSTATE invalid_password. */
const wrongPassword = '28P01';

/**
 * Settings that keep content out of the log. Messages of level ERROR quote values ("invalid input syntax
 * for type …"), details quote rows, and statements quote everything, so none of them is written. Only events
 * of the server itself remain. docker-compose.yml gives its Postgres the same settings.
 */
export const contentFreeLog = {
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_timezone: 'UTC',
} as const;

/**
 * Of data that is thrown away, which often stand in memory: by default the server keeps up to a gibibyte of its log. It
 * counts what it does, for those who look at it: the statements of many databases, none of which may be forgotten between
 * two looks.
 */
const notDurable = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.max': '100000',
  track_functions: 'pl',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '128MB',
  min_wal_size: '32MB',
} as const;

/**
 * Settings of the planner. A young database grows a hundredfold in its first minute, and plans from the statistics of
 * an empty table read whole tables until the statistics are renewed. On a solid-state disk a row that an index finds
 * costs little more than the next row of a table; the default assumes disks with moving parts. No query is long enough
 * for compiling it to pay. docker-compose.yml gives its Postgres the same settings.
 */
export const planning = { autovacuum_naptime: '5s', jit: 'off', random_page_cost: '1.1' } as const;

/**
 * Makes the cluster if there is none, and describes how to run it.
 * @throws EmbeddedError when the cluster cannot be made or is of another major version.
 */
export async function postgresServer(options: PostgresOptions): Promise<ServerSpec> {
  const { home } = options;
  await ensureCluster(options);
  const settings = {
    listen_addresses: host,
    port: `${options.port}`,
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    ...contentFreeLog,
    ...planning,
    ...(options.durable ? {} : notDurable),
  };
  return {
    name: 'postgres',
    command: join(home.native, 'bin', 'postgres'),
    args: [...flags({ '-D': home.data }), ...repeated('-c', assignments(settings))],
    env: childEnvironment(options.env, home.path),
    cwd: home.path,
    account: home.account,
    dataPath: home.data,
    logFile: options.logFile,
    stopPlan: options.durable ? postgresStop : postgresQuit,
    isReady: () => answersQuery(options.port, options.password, home.data),
    prepare: () => clearPostmasterFile(home.data, options.say),
  };
}

function assignments(settings: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(settings).map(([name, value]) => `${name}=${value}`);
}

/** The connection settings of the running server. */
export function postgresSettings(
  port: number,
  secrets: {
    readonly postgresSuperuser: string;
    readonly postgresApp: string;
  },
): PostgresSettings {
  const password = secrets.postgresSuperuser;
  return {
    host,
    port,
    superuser: { user: superuser, password },
    superuserUrl: `postgres://${superuser}:${encodeURIComponent(password)}@${host}:${port}/postgres`,
    appPassword: secrets.postgresApp,
  };
}

async function ensureCluster(options: PostgresOptions): Promise<void> {
  const { home } = options;
  const version = readIfPresent(join(home.data, 'PG_VERSION'))?.trim();
  if (version === majorVersion) return;
  if (version !== undefined) {
    throw new EmbeddedError(
      `Postgres ${version} wrote ${home.data}, and this is Postgres ${majorVersion}. Start Postgres ${version} and export the data first.`,
    );
  }
  if (existsSync(home.data)) {
    throw new EmbeddedError(`${home.data} is not a data directory of Postgres. Move it away.`);
  }
  options.say(`Creating an empty Postgres ${majorVersion} database in ${home.data}.`);
  await initialise(options);
}

/** Makes the cluster in a draft directory and renames it when complete: a failed start leaves no incomplete cluster. */
async function initialise(options: PostgresOptions): Promise<void> {
  const { home } = options;
  const draft = join(home.path, 'data.new');
  const passwordFile = join(home.path, 'password.new');
  rmSync(draft, { recursive: true, force: true });
  try {
    writePrivateFile(passwordFile, `${options.password}\n`);
    if (home.account !== undefined) chownSync(passwordFile, home.account.uid, home.account.gid);
    await promisify(execFile)(
      join(home.native, 'bin', 'initdb'),
      initdbArguments(draft, passwordFile, options),
      {
        cwd: home.path,
        env: { ...childEnvironment(options.env, home.path) },
        timeout: 120_000,
        ...(home.account === undefined ? {} : { uid: home.account.uid, gid: home.account.gid }),
      },
    );
    renameSync(draft, home.data);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw new EmbeddedError(
      `Cannot create a Postgres database in ${home.data} (${causeText(error)}).`,
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Collation and case rules come from the server's built-in C.UTF-8, which no update of the system can change. */
function initdbArguments(data: string, passwordFile: string, options: PostgresOptions): string[] {
  const always = flags({
    '-D': data,
    '--username': superuser,
    '--pwfile': passwordFile,
    '--auth': 'scram-sha-256',
    '--data-checksums': true,
    '--encoding': 'UTF8',
    '--locale': 'C',
    '--locale-provider': 'builtin',
    '--builtin-locale': 'C.UTF-8',
  });
  return options.durable ? [...always] : [...always, '--no-sync'];
}

/** Signs in with the remembered password, so that another server on the port is not taken for this one. */
/** Whether the server with these files answers; one with other files may take any password. */
async function answersQuery(port: number, password: string, data: string): Promise<boolean> {
  const client = new Client({
    host,
    port,
    user: superuser,
    password,
    database: 'postgres',
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ data: string }>(
      "select current_setting('data_directory') as data",
    );
    return rows[0]?.data === data;
  } catch (error) {
    if (errorCode(error) !== wrongPassword) throw error;
    throw new EmbeddedError(
      `Postgres on port ${port} refuses the password in state.json. Restore the state.json that belongs to its data.`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
