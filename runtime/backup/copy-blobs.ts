/** Blobs of a folder, in a copy of the same form. */
import type { Dirent } from 'node:fs';
import { mkdir, opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../embedded/errors.ts';
import { copyHashed } from './hashed-file.ts';
import { BLOBS } from './layout.ts';
import type { BackupOutput } from './output.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PREFIX = /^[0-9a-f]{2}$/;
const SHA256 = /^[0-9a-f]{64}$/;
const REPORTED_EVERY = 1_000;

export interface CopiedBlobs {
  readonly blobs: number;
  readonly blobs_gone: number;
  readonly blobs_damaged: number;
}

/** The entries of a directory; none where it is not there (any more). */
async function* entries(path: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Every blob below `root` by its path; never bytes of an upload that has not ended. */
async function* blobsBelow(root: string): AsyncGenerator<readonly [string, string, string]> {
  for await (const account of entries(root)) {
    if (!account.isDirectory() || !UUID.test(account.name)) continue;
    for await (const prefix of entries(join(root, account.name))) {
      if (!prefix.isDirectory() || !PREFIX.test(prefix.name)) continue;
      for await (const blob of entries(join(root, account.name, prefix.name))) {
        if (blob.isFile() && SHA256.test(blob.name)) yield [account.name, prefix.name, blob.name];
      }
    }
  }
}

/**
 * Copies the blobs after the database was. A blob that the copied rows name was durable before them; one that is gone
 * since was erased or withdrawn meanwhile. One that came since has no row there, and the restore removes it.
 */
export async function copyBlobs(
  root: string,
  output: BackupOutput,
  { say, signal }: { readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<CopiedBlobs> {
  const counts = { blobs: 0, blobs_gone: 0, blobs_damaged: 0 };
  for await (const [account, prefix, sha256] of blobsBelow(root)) {
    signal.throwIfAborted();
    const path = [BLOBS, account, prefix, sha256].join('/');
    const to = join(output.folder, path);
    await mkdir(join(output.folder, BLOBS, account, prefix), { recursive: true, mode: 0o700 });
    try {
      const digest = await copyHashed(join(root, account, prefix, sha256), to);
      await output.add(path, digest);
      counts.blobs += 1;
      if (digest.sha256 !== sha256) counts.blobs_damaged += 1;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      await rm(to, { force: true });
      counts.blobs_gone += 1;
    }
    if (counts.blobs % REPORTED_EVERY === 0) say(`Copied ${counts.blobs} documents.`);
  }
  if (counts.blobs_damaged > 0) {
    say(`${counts.blobs_damaged} documents are damaged: their bytes are not those of their names.`);
  }
  return counts;
}
