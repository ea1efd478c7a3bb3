/** Blobs in a folder: `<root>/<account>/<first two digits>/<sha256>`, one file each. */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  BlobDamagedError,
  blobKey,
  draftName,
  SHA256,
  UUID,
  type BlobAddress,
  type ListedBlobStore,
} from './blob-store.ts';
import { syncDirectory } from '../sync-directory.ts';
import { sha256Of } from './sha256.ts';

function isMissing(error: unknown): boolean {
  return Reflect.get(Object(error), 'code') === 'ENOENT';
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Nothing is at the path when it returns, and stays so after a crash. */
async function remove(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncDirectory(dirname(path)).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

/** The names in a directory that have the form, in order; none where there is no directory. */
async function names(path: string, form: RegExp): Promise<readonly string[]> {
  try {
    return (await readdir(path)).filter((name) => form.test(name)).toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** A folder holds a 256th of an account's blobs: as many as fit in memory. */
async function* listed(root: string, accountId: string): AsyncGenerator<string> {
  for (const prefix of await names(join(root, accountId), /^[0-9a-f]{2}$/)) {
    yield* await names(join(root, accountId, prefix), SHA256);
  }
}

/** A store below `root`, which is made when something is first written. */
export function createFolderBlobStore(root: string): ListedBlobStore {
  const pathOf = (address: BlobAddress): string => join(root, ...blobKey(address));
  const draftPath = (address: BlobAddress, draft: string): string =>
    `${pathOf(address)}.${draftName(draft)}`;
  return {
    async put(address, bytes, draft) {
      const path = pathOf(address);
      if ((await sizeOf(path)) === bytes.byteLength) return;
      const folder = dirname(path);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Beside its place, so that the rename stays within one file system.
      const unfinished = draftPath(address, draft);
      try {
        await writeSynced(unfinished, bytes);
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      for (const directory of [folder, dirname(folder), root]) await syncDirectory(directory);
    },
    async get(address) {
      try {
        const bytes = await readFile(pathOf(address));
        const found = await sha256Of(bytes);
        if (found !== address.sha256) throw new BlobDamagedError();
        return bytes;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    delete: (address) => remove(pathOf(address)),
    deleteDraft: (address, draft) => remove(draftPath(address, draft)),
    list: (accountId) => listed(root, accountId),
    accounts: () => names(root, UUID),
  };
}
