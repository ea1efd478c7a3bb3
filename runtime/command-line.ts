/**
 * How the command line reaches the servers. A server that a variable names is used as it is; the others are found
 * in `.vouch/` of the working directory. An embedded server that a command needs and that does not run is started
 * for the duration of that command; no other server is started.
 */
import { existsSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { DatabasePool } from 'slonik';
import { assertDatabaseUsable } from '../stores/postgres/preconditions.ts';
import { loadConfig, type Config, type Settings } from './config/index.ts';
import type { EmbeddedOptions, EmbeddedStack } from '../embedded/index.ts';
import { layOut, type DataDirectory } from '../embedded/data-dir.ts';
import { EmbeddedError } from '../embedded/errors.ts';
import { assertNoRestore } from '../embedded/restore-mark.ts';
import type { ServerName } from '../embedded/names.ts';
import { defaultPorts } from '../embedded/port-numbers.ts';
import { postgresSettings } from '../embedded/servers/postgres.ts';
import { loadState, type EmbeddedState } from '../embedded/state.ts';
import { appAddress, embeddedAccess, prepareExternalDatabase } from './start/database.ts';
import { NAMED_BY, SERVERS } from './start/named-by.ts';
import type { StartOptions } from './start/servers.ts';
import { openDatabase } from './container/database-parts.ts';

export interface CommandLineOptions extends StartOptions {
  readonly servers: readonly ServerName[];
}

const PROBE_MS = 1_000;

/** Whether the port accepts connections. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: PROBE_MS });
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}

/** `.vouch/` of the working directory, or null. Creates nothing. */
function directoryAt(root: string): DataDirectory | null {
  const path = `${root}/.vouch`;
  return existsSync(`${path}/state.json`) ? layOut(path, process.getuid?.() ?? 0) : null;
}

async function standingStill(
  servers: readonly ServerName[],
  state: EmbeddedState,
): Promise<ServerName[]> {
  const found = await Promise.all(
    servers.map(async (name) => {
      const port = state.ports[name];
      return { name, stands: port === undefined || !(await answers(port)) };
    }),
  );
  return found.filter(({ stands }) => stands).map(({ name }) => name);
}

/** The command loads the modules that start servers only if it has to start one. */
async function startServers(options: EmbeddedOptions): Promise<EmbeddedStack> {
  const { startEmbedded } = await import('../embedded/index.ts');
  return startEmbedded(options);
}

/**
 * Postgres of `.vouch/`, which is started for the duration of the command where it stands still.
 * @throws EmbeddedError where the directory has no service.
 */
export async function openEmbeddedPostgres(options: StartOptions): Promise<{
  readonly directory: DataDirectory;
  readonly state: EmbeddedState;
  close(): Promise<void>;
}> {
  const directory = directoryAt(options.root);
  if (directory === null) {
    throw new EmbeddedError('This directory has no service. Go to the directory that has .vouch/.');
  }
  assertNoRestore(directory);
  const standing = await standingStill(['postgres'], loadState(directory));
  const stack = standing.length === 0 ? null : await startServers(onlyThese(standing, options));
  const close = async (): Promise<void> => stack?.stop();
  return { directory, state: loadState(directory), close };
}

/** How to start these servers and no others. */
function onlyThese(servers: readonly ServerName[], options: StartOptions): EmbeddedOptions {
  return {
    root: options.root,
    env: options.environment,
    say: options.say,
    signal: options.signal,
    external: SERVERS.filter((name) => !servers.includes(name)),
  };
}

/** Addresses of the embedded servers, running or not, without servers that a variable names. */
function embeddedAddresses(state: EmbeddedState, settings: Settings): Record<string, string> {
  const { ports, secrets } = state;
  const access = embeddedAccess(postgresSettings(ports.postgres ?? 0, secrets));
  const addresses: Readonly<Record<ServerName, Record<string, string>>> = {
    postgres: { DATABASE_URL: appAddress(access) },
    temporal: { TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal ?? 0}` },
    meilisearch: {
      MEILI_HOST: `http://127.0.0.1:${ports.meilisearch ?? 0}`,
      MEILI_MASTER_KEY: secrets.meilisearchMasterKey,
    },
    qdrant: {
      QDRANT_URL: `http://127.0.0.1:${ports.qdrant ?? 0}`,
      QDRANT_API_KEY: secrets.qdrantApiKey,
    },
  };
  return Object.assign(
    { SERVICE_SECRET_KEY: settings.SERVICE_SECRET_KEY ?? secrets.service },
    ...SERVERS.filter((name) => settings[NAMED_BY[name]] === undefined).map(
      (name) => addresses[name],
    ),
  );
}

/**
 * Settings that a command does not use but the configuration demands, so that DATABASE_URL alone is enough for a
 * command that needs Postgres alone: the usual addresses of the other servers, and a random key that signs nothing.
 */
function unneeded(servers: readonly ServerName[]): Record<string, string> {
  const usual: Readonly<Record<ServerName, Record<string, string>>> = {
    postgres: {},
    temporal: { TEMPORAL_ADDRESS: `127.0.0.1:${defaultPorts.temporal}` },
    meilisearch: { MEILI_HOST: `http://127.0.0.1:${defaultPorts.meilisearch}` },
    qdrant: { QDRANT_URL: `http://127.0.0.1:${defaultPorts.qdrant}` },
  };
  return Object.assign(
    { SERVICE_SECRET_KEY: randomBytes(32).toString('base64url') },
    ...SERVERS.filter((name) => !servers.includes(name)).map((name) => usual[name]),
  );
}

/** The address of `vouch_app` in the database that DATABASE_URL names. */
async function externalDatabase(
  settings: Settings,
  secretKey: string | undefined,
): Promise<Record<string, string>> {
  const url = settings.DATABASE_URL;
  if (url === undefined || new URL(url).username === 'vouch_app') return {};
  if (secretKey === undefined) {
    throw new EmbeddedError(
      'DATABASE_URL does not connect as vouch_app. Set SERVICE_SECRET_KEY to the key of the service, or let DATABASE_URL name vouch_app.',
    );
  }
  const ownerUrl = settings.SERVICE_DATABASE_OWNER_URL;
  return { DATABASE_URL: await prepareExternalDatabase({ databaseUrl: url, ownerUrl, secretKey }) };
}

/** Calls `create` with a pool on a usable database. Closes the pool if `create` fails. */
async function createOnDatabase<T>(
  config: Config,
  create: (config: Config, db: DatabasePool) => T | Promise<T>,
): Promise<T> {
  const { settings } = config;
  if (settings.DATABASE_URL === undefined) {
    throw new EmbeddedError(
      'This directory has no service. Start a service here first, or set DATABASE_URL to its database.',
    );
  }
  const db = await openDatabase(settings);
  try {
    await assertDatabaseUsable(db);
    return await create(config, db);
  } catch (error) {
    await db.end();
    throw error;
  }
}

/**
 * Opens a container for one command with `create`, which gets settings that name every server there is, and an open
 * pool, which is closed with the container.
 * @throws ConfigError, EmbeddedError or PreconditionError with a message for the operator.
 */
export async function openForCommand<T extends { close(): Promise<void> }>(
  options: CommandLineOptions,
  create: (config: Config, db: DatabasePool) => T | Promise<T>,
): Promise<{ readonly container: T; close(): Promise<void> }> {
  const { settings } = loadConfig(options.environment);
  const directory = directoryAt(options.root);
  if (directory !== null) assertNoRestore(directory);
  const mine = options.servers.filter((name) => settings[NAMED_BY[name]] === undefined);
  const standing = directory === null ? [] : await standingStill(mine, loadState(directory));
  const stack =
    standing.length === 0
      ? null
      : await startServers({
          ...onlyThese(standing, options),
          namespace: settings.TEMPORAL_NAMESPACE,
        });
  try {
    const embedded = directory === null ? {} : embeddedAddresses(loadState(directory), settings);
    const named = Object.entries(options.environment).filter(
      ([, value]) => value !== undefined && value !== '',
    );
    const config = loadConfig({
      ...unneeded(options.servers),
      ...Object.fromEntries(named),
      ...embedded,
      ...(await externalDatabase(
        settings,
        settings.SERVICE_SECRET_KEY ?? embedded['SERVICE_SECRET_KEY'],
      )),
    });
    const container = await createOnDatabase(config, create);
    return {
      container,
      close: async () => {
        await container.close();
        await stack?.stop();
      },
    };
  } catch (error) {
    await stack?.stop();
    throw error;
  }
}
