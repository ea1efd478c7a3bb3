/**
 * `.vouch/`: everything the embedded servers keep, below the directory the service was started in.
 *
 *   state.json      ports and secrets, remembered between starts (0600)
 *   lock            the process that uses this directory
 *   restore.json    the restore that has begun and not ended
 *   children.json   the servers that run now, to recognise a leftover after a crash
 *   logs/           one file per server
 *   postgres/ meilisearch/ qdrant/ temporal.db
 */
import { chmodSync, lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { causeText, EmbeddedError, errorCode } from './errors.ts';
import { makePrivateDirectory } from './private-files.ts';

export type DataDirectory = Readonly<ReturnType<typeof layOut>>;

/**
 * Opens `<root>/.vouch`, making it (0700) when it is missing.
 * @throws EmbeddedError when it belongs to another user or cannot be made.
 */
export function openDataDirectory(root: string, uid: number): DataDirectory {
  const path = join(root, '.vouch');
  const owner = ownerOf(path);
  if (owner !== undefined && owner !== uid) {
    throw new EmbeddedError(
      `${path} belongs to user id ${owner}, but the start runs as user id ${uid}. Start as the owner, or move the directory away.`,
    );
  }
  return layOut(path, uid);
}

/** Lays out a data directory at exactly this path, which must be the caller's own. */
export function layOut(path: string, uid: number) {
  const logs = join(path, 'logs');
  try {
    makePrivateDirectory(path);
    makePrivateDirectory(logs);
    // Under root the directory may be open to Postgres' group (see postgres-home.ts); that right is kept.
    chmodSync(path, statSync(path).mode & (uid === 0 ? 0o710 : 0o700));
  } catch (error) {
    throw new EmbeddedError(
      `Cannot write ${path} (${causeText(error)}). Start in a directory that you may write to.`,
    );
  }
  return {
    path,
    stateFile: join(path, 'state.json'),
    lockFile: join(path, 'lock'),
    /** Names the backup of a restore that has begun and not ended. */
    restoreFile: join(path, 'restore.json'),
    childrenFile: join(path, 'children.json'),
    temporalDatabase: join(path, 'temporal.db'),
    postgresHome: join(path, 'postgres'),
    meilisearch: join(path, 'meilisearch'),
    qdrant: join(path, 'qdrant'),
    logFile: (server: string) => join(logs, `${server}.log`),
  };
}

function ownerOf(path: string): number | undefined {
  try {
    const found = lstatSync(path);
    return found.isSymbolicLink() ? statSync(path).uid : found.uid;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new EmbeddedError(`Cannot inspect ${path} (${causeText(error)}).`);
  }
}
