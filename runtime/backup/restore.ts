/**
 * `vouch restore`: an installation from a backup, in an empty `.vouch/`. While it is under way a mark stands in the
 * directory, and nothing else starts there. A restore that was killed is begun again: it removes what the first one put
 * there and starts over, so no step has to know how far another came.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { openDataDirectory, type DataDirectory } from '../../embedded/data-dir.ts';
import { EmbeddedError } from '../../embedded/errors.ts';
import { tryLock } from '../../embedded/lock.ts';
import {
  readRestoreMark,
  removeRestoreMark,
  writeRestoreMark,
} from '../../embedded/restore-mark.ts';
import { writePrivateFile } from '../../embedded/private-files.ts';
import { placePostgres } from '../../embedded/servers/postgres-home.ts';
import { loadState, parseState, saveState } from '../../embedded/state.ts';
import { readMigrations } from '../../stores/postgres/migrate.ts';
import { loadConfig, type Config } from '../config/index.ts';
import { isBucket } from '../container/blobs.ts';
import type { StartOptions } from '../start/servers.ts';
import { finishOnServers, type FinishedRestore, type FinishOptions } from './finish.ts';
import { copyHashed, digestOf } from './hashed-file.ts';
import {
  BLOBS,
  CREDENTIALS,
  listedFiles,
  proofOfKey,
  readManifest,
  RECEIPT_KEY,
  STATE,
  verifyFiles,
  type BackupManifest,
} from './layout.ts';
import { promisesFile } from './places.ts';
import { keepPromises } from './promises-kept.ts';
import { unpackBase } from './unpack-base.ts';

export interface RestoreOptions extends StartOptions {
  /** The directory of the backup. */
  readonly input: string;
  /** Lists of promises that are newer than the backup. */
  readonly lists: readonly string[];
  /** See `finishOnServers`. */
  readonly andThen?: FinishOptions['andThen'];
}

export interface RestoreReport {
  readonly backup: BackupManifest;
  readonly finished: FinishedRestore;
}

/** What may stand in a directory that counts as empty. */
const HARMLESS = ['lock', 'logs', 'promises.jsonl'];

/** Removes what an earlier restore put there. Everything else in the directory stands in the way. */
function clear(directory: DataDirectory, isBegunAgain: boolean): void {
  const found = readdirSync(directory.path).filter(
    (name) => !HARMLESS.includes(name) && !name.startsWith('lock.') && name !== 'restore.json',
  );
  if (found.length > 0 && !isBegunAgain) {
    throw new EmbeddedError(
      `${directory.path} holds an installation. Move it away, then restore; keep its promises.jsonl and name it with --list.`,
    );
  }
  if (existsSync(directory.stateFile)) {
    const { postgresHome } = loadState(directory);
    if (postgresHome !== undefined) rmSync(postgresHome, { recursive: true, force: true });
  }
  for (const name of found) rmSync(join(directory.path, name), { recursive: true, force: true });
}

/** @throws EmbeddedError where this build, or this machine, cannot restore the backup. */
async function assertRestorable(backup: BackupManifest, config: Config): Promise<void> {
  const { settings } = config;
  if (settings.DATABASE_URL !== undefined) {
    throw new EmbeddedError(
      'DATABASE_URL names a server of its own. Restore the database with its own tools, then run vouch restore finish: docs/guides/backup.md says how.',
    );
  }
  const shipped = await readMigrations();
  if (!shipped.some(({ name }) => name === backup.migration)) {
    throw new EmbeddedError(
      `The backup is of Vouch ${backup.app_version}, which this release is older than. Install that release, or a later one.`,
    );
  }
  const key = settings.SERVICE_SECRET_KEY;
  if (backup.service_key.included && key === undefined) return;
  if (key !== undefined && proofOfKey(key) === backup.service_key.proof) return;
  throw new EmbeddedError(
    backup.service_key.included
      ? 'SERVICE_SECRET_KEY is another key than the one of the backup. Leave it unset, or set it to that key.'
      : 'The backup does not hold the service key, because a setting named it. Set SERVICE_SECRET_KEY to the same key.',
  );
}

/** Copies a file to where a setting says, and refuses another one there. */
async function put(from: string, to: string): Promise<void> {
  if (existsSync(to)) {
    const [found, wanted] = [await digestOf(to), await digestOf(from)];
    if (found.sha256 === wanted.sha256) return;
    throw new EmbeddedError(`${to} is another file than the one of the backup. Move it away.`);
  }
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyHashed(from, to);
}

async function putBlobs(options: RestoreOptions, config: Config): Promise<void> {
  const { SERVICE_BLOB_STORE: where } = config.settings;
  if (isBucket(where)) return;
  const root = resolve(options.root, where);
  let copied = 0;
  for await (const { path } of listedFiles(options.input)) {
    if (!path.startsWith(`${BLOBS}/`)) continue;
    options.signal.throwIfAborted();
    await put(join(options.input, path), join(root, path.slice(BLOBS.length + 1)));
    copied += 1;
    if (copied % 1_000 === 0) options.say(`Put back ${copied} documents.`);
  }
}

/** Puts everything of the backup in its place. */
async function place(directory: DataDirectory, options: RestoreOptions, config: Config) {
  const { input, root, say, signal } = options;
  const state = parseState(await readFile(join(input, STATE), 'utf8'));
  if (state === null)
    throw new EmbeddedError(`${join(input, STATE)} is damaged. Use another backup.`);
  saveState(directory, state);
  say('Putting the database back.');
  const home = await placePostgres({
    directory,
    remembered: undefined,
    uid: process.getuid?.() ?? 0,
    say,
    onPlaced(path) {
      if (path !== directory.postgresHome) saveState(directory, { ...state, postgresHome: path });
    },
  });
  try {
    await unpackBase(input, home, signal);
  } finally {
    home.release();
  }
  say('Putting keys and documents back.');
  const key = join(input, RECEIPT_KEY);
  if (existsSync(key)) await put(key, resolve(root, config.settings.SERVICE_RECEIPT_KEY_FILE));
  const credentials = join(input, CREDENTIALS);
  if (existsSync(credentials)) {
    writePrivateFile(join(directory.path, 'credentials.json'), await readFile(credentials, 'utf8'));
  }
  await putBlobs(options, config);
  await keepPromises(promisesFile(options), input, options.lists);
}

/** Takes the directory for this restore, empties it and puts everything in its place. */
async function placeLocked(
  directory: DataDirectory,
  options: RestoreOptions,
  config: Config,
): Promise<void> {
  const lock = tryLock(directory.lockFile);
  if (!lock.held) {
    throw new EmbeddedError(
      `Process ${lock.holder.pid} uses ${directory.path}. Stop it, or restore into another directory.`,
    );
  }
  try {
    clear(directory, readRestoreMark(directory) !== null);
    writeRestoreMark(directory, {
      input: resolve(options.input),
      begun_at: new Date().toISOString(),
    });
    await place(directory, options, config);
  } finally {
    lock.release();
  }
}

/**
 * Restores the installation and leaves it stopped.
 * @throws ConfigError or EmbeddedError with a sentence for the operator. Once the mark stands, the restore has to be begun
 * again before anything else starts there.
 */
export async function restoreBackup(given: RestoreOptions): Promise<RestoreReport> {
  const options = { ...given, input: resolve(given.root, given.input) };
  const config = loadConfig(options.environment);
  const backup = await readManifest(options.input);
  await assertRestorable(backup, config);
  for (const list of options.lists) await assertList(list);
  await verifyFiles(options.input, backup, options);
  const directory = openDataDirectory(options.root, process.getuid?.() ?? 0);
  await placeLocked(directory, options, config);
  const hasList = options.lists.length > 0 || existsSync(promisesFile(options));
  const finished = await finishOnServers({
    ...options,
    config,
    backupAt: backup.ended_at,
    lists: hasList ? [promisesFile(options)] : [],
  });
  removeRestoreMark(directory);
  return { backup, finished };
}

async function assertList(path: string): Promise<void> {
  try {
    await digestOf(path);
  } catch {
    throw new EmbeddedError(`${path} cannot be read. Name the list of promises.`);
  }
}
