/** `vouch backup`: a consistent copy of the installation in `.vouch/`, while it runs or stands still. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { BACKUP_IDENTITY } from '../../domain/identities.ts';
import type { DataDirectory } from '../../embedded/data-dir.ts';
import { EmbeddedError, errorCode } from '../../embedded/errors.ts';
import { postgresSettings } from '../../embedded/servers/postgres.ts';
import { newState, type EmbeddedState } from '../../embedded/state.ts';
import { openEmbeddedPostgres } from '../command-line.ts';
import { loadConfig, type Config } from '../config/index.ts';
import { isBucket } from '../container/blobs.ts';
import type { StartOptions } from '../start/servers.ts';
import { takeBaseBackup } from './base-backup.ts';
import { copyBlobs, type CopiedBlobs } from './copy-blobs.ts';
import { copyHashed, digestOf } from './hashed-file.ts';
import {
  BASE,
  BASE_MANIFEST,
  CREDENTIALS,
  PROMISES,
  proofOfKey,
  RECEIPT_KEY,
  STATE,
  type BackupManifest,
} from './layout.ts';
import { openOutput, type BackupOutput } from './output.ts';
import { appVersion, foundFile, promisesFile } from './places.ts';

export interface BackupOptions extends StartOptions {
  /** The directory to be made. */
  readonly output: string;
}

interface Source {
  readonly url: string;
  readonly directory: DataDirectory;
  readonly state: EmbeddedState;
  readonly config: Config;
}

const described = `select current_setting('data_directory') as data,
  (select name from schema_migrations order by name desc limit 1) as migration,
  (select count(*)::int from accounts) as accounts`;

/** What the database says of itself. Refuses the server of another directory, which may have taken the port. */
async function describe({ url, directory, state }: Source) {
  const address = new URL(url);
  address.pathname = '/vouch';
  const client = new Client({ connectionString: address.href });
  try {
    await client.connect();
    const { rows } = await client.query<{ data: string; migration: string; accounts: number }>(
      described,
    );
    const row = rows[0];
    if (row?.data === join(state.postgresHome ?? directory.postgresHome, 'data')) return row;
  } catch (error) {
    throw new EmbeddedError(
      `The database of ${directory.path} cannot be read (${errorCode(error) ?? 'no answer'}). Start the service once, then take the backup.`,
    );
  } finally {
    await client.end();
  }
  throw new EmbeddedError(
    `Another Postgres listens on the port of ${directory.path}. Stop it, then take the backup.`,
  );
}

async function copyDatabase(source: Source, output: BackupOutput, options: BackupOptions) {
  let nextReport = 0.1;
  const copied = await takeBaseBackup({
    url: source.url,
    folder: join(output.folder, 'postgres'),
    signal: options.signal,
    onProgress(sent, expected) {
      if (expected === 0 || sent < expected * nextReport || nextReport > 0.95) return;
      options.say(`Copied ${Math.round(nextReport * 100)} % of the database.`);
      nextReport = Math.floor((sent / expected) * 10) / 10 + 0.1;
    },
  });
  await output.add(BASE, copied.tar);
  await output.add(BASE_MANIFEST, copied.manifest);
}

async function copyIfPresent(from: string | null, path: string, output: BackupOutput) {
  if (from === null) return;
  await output.add(path, await copyHashed(from, join(output.folder, path)));
}

/** What the installation knows beside its database. Ports and places are those of this machine and stay here. */
async function copyInstallation(source: Source, output: BackupOutput, options: BackupOptions) {
  const { config, directory, state } = source;
  const kept = { ...newState(), secrets: state.secrets };
  const file = join(output.folder, STATE);
  await writeFile(file, `${JSON.stringify(kept, null, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  await output.add(STATE, await digestOf(file));
  const places = { root: options.root, directory: directory.path };
  const key = foundFile(config.settings.SERVICE_RECEIPT_KEY_FILE, places);
  await copyIfPresent(key, RECEIPT_KEY, output);
  const credentials = join(directory.path, 'credentials.json');
  await copyIfPresent(existsSync(credentials) ? credentials : null, CREDENTIALS, output);
  const promises = promisesFile(options);
  await copyIfPresent(existsSync(promises) ? promises : null, PROMISES, output);
}

async function copyDocuments(source: Source, output: BackupOutput, options: BackupOptions) {
  const { settings } = source.config;
  const none: CopiedBlobs = { blobs: 0, blobs_gone: 0, blobs_damaged: 0 };
  if (isBucket(settings.SERVICE_BLOB_STORE)) {
    options.say('The bytes of documents are in a bucket, which needs a backup of its own.');
    return none;
  }
  const places = { root: options.root, directory: source.directory.path };
  const root = foundFile(settings.SERVICE_BLOB_STORE, places);
  return root === null ? none : copyBlobs(root, output, options);
}

async function write(
  source: Source,
  output: BackupOutput,
  options: BackupOptions,
): Promise<BackupManifest> {
  const { settings } = source.config;
  const { accounts, migration } = await describe(source);
  const startedAt = new Date();
  options.say('Copying the database.');
  await copyDatabase(source, output, options);
  const endedAt = new Date();
  options.say('Copying keys and documents.');
  await copyInstallation(source, output, options);
  const blobs = await copyDocuments(source, output, options);
  const named = settings.SERVICE_SECRET_KEY;
  return output.complete({
    schema: BACKUP_IDENTITY,
    app_version: await appVersion(),
    migration,
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    service_key: {
      proof: proofOfKey(named ?? source.state.secrets.service),
      included: named === undefined || named === source.state.secrets.service,
    },
    includes_blobs: !isBucket(settings.SERVICE_BLOB_STORE),
    counts: { accounts, ...output.counted(), ...blobs },
  });
}

/**
 * Takes the backup and answers what its manifest says.
 * @throws ConfigError or EmbeddedError with a sentence for the operator; nothing that looks like a backup is left.
 */
export async function takeBackup(options: BackupOptions): Promise<BackupManifest> {
  const config = loadConfig(options.environment);
  if (config.settings.DATABASE_URL !== undefined) {
    throw new EmbeddedError(
      'DATABASE_URL names a server of its own, which needs a backup of its own: docs/guides/backup.md says how.',
    );
  }
  const output = await openOutput(resolve(options.root, options.output));
  try {
    const postgres = await openEmbeddedPostgres(options);
    try {
      const { directory, state } = postgres;
      const url = postgresSettings(state.ports.postgres ?? 0, state.secrets).superuserUrl;
      return await write({ url, directory, state, config }, output, options);
    } finally {
      await postgres.close();
    }
  } catch (error) {
    await output.discard();
    throw error;
  }
}
