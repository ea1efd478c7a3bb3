/**
 * Where a start keeps what is no server's: bytes of documents, the key of receipts, the list of promises. A relative path is meant from
 * where the start was begun, as for the command line; the processes themselves run inside of `.vouch/`.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Settings } from '../config/index.ts';
import { isBucket } from '../container/blobs.ts';
import { causeText } from '../../embedded/errors.ts';
import type { Say } from '../../embedded/names.ts';

interface Places {
  /** `.vouch/`, in which the processes run. */
  readonly directory: string;
  /** Where the start was begun. */
  readonly root: string;
  readonly say: Say;
}

/** Whether nothing would be lost with what is there: there is nothing, or an empty folder. */
function isFree(path: string): boolean {
  if (!existsSync(path)) return true;
  return statSync(path).isDirectory() && readdirSync(path).length === 0;
}

/**
 * The absolute path. An earlier version kept these files under the same name below `.vouch/`. The start moves them. If it
 * cannot, the service goes on using the earlier path, so no upload is lost.
 */
function settled(name: string, { directory, root, say }: Places): string {
  const [path, earlier] = [resolve(root, name), resolve(directory, name)];
  if (path === earlier || isFree(earlier)) return path;
  if (!isFree(path)) {
    say(`Both ${path} and ${earlier} hold files. The service goes on using ${earlier}.`);
    return earlier;
  }
  try {
    if (existsSync(path)) rmdirSync(path);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    renameSync(earlier, path);
  } catch (error) {
    say(
      `${earlier} cannot be moved to ${path} (${causeText(error)}). The service goes on using ${earlier}.`,
    );
    return earlier;
  }
  say(`Moved ${earlier} to ${path}. Commands use the new path too.`);
  return path;
}

/** The settings that name files, with absolute paths. */
export function fileSettings(
  settings: Pick<
    Settings,
    'SERVICE_BLOB_STORE' | 'SERVICE_PROMISES_FILE' | 'SERVICE_RECEIPT_KEY_FILE'
  >,
  places: Places,
): Readonly<Record<string, string>> {
  const {
    SERVICE_BLOB_STORE: blobs,
    SERVICE_PROMISES_FILE: promises,
    SERVICE_RECEIPT_KEY_FILE: key,
  } = settings;
  return {
    SERVICE_BLOB_STORE: isBucket(blobs) ? blobs : settled(blobs, places),
    SERVICE_RECEIPT_KEY_FILE: settled(key, places),
    // Earlier versions kept no such file.
    SERVICE_PROMISES_FILE: resolve(places.root, promises),
  };
}
