/**
 * What a backup is made of. It is a directory for its owner alone:
 *
 *   backup.json            what this is, from when, and the digest of the list; written last
 *   files.jsonl            every other file with its size and its digest, one on a line
 *   postgres/base.tar      the base backup, with the log that makes it consistent
 *   postgres/manifest.json the server's own list of the files in it
 *   installation/          passwords and the service key, the key of receipts, the credentials of the first start
 *   blobs/                 original bytes of documents, by account and digest
 *   promises.jsonl         the list of promises as it was, for reference
 */
import { readFile } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { BACKUP_IDENTITY } from '../../domain/identities.ts';
import { EmbeddedError, errorCode } from '../../embedded/errors.ts';
import { digestOf } from './hashed-file.ts';

export const MANIFEST = 'backup.json';
export const FILE_LIST = 'files.jsonl';
export const BASE = 'postgres/base.tar';
export const BASE_MANIFEST = 'postgres/manifest.json';
export const STATE = 'installation/state.json';
export const RECEIPT_KEY = 'installation/receipt-key.pem';
export const CREDENTIALS = 'installation/credentials.json';
export const PROMISES = 'promises.jsonl';
export const BLOBS = 'blobs';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

const manifest = z.object({
  schema: z.literal(BACKUP_IDENTITY),
  app_version: z.string(),
  /** The last migration of the database. */
  migration: z.string(),
  started_at: z.iso.datetime(),
  /** The database is restored to this time or a little later. */
  ended_at: z.iso.datetime(),
  /** Proof of the service key; the key itself is in the installation's state unless a setting named it. */
  service_key: z.object({ proof: sha256, included: z.boolean() }),
  /** False where the bytes of documents are in a bucket, which has a backup of its own. */
  includes_blobs: z.boolean(),
  counts: z.object({
    accounts: count,
    files: count,
    bytes: count,
    blobs: count,
    /** Blobs that were deleted while they were copied: by an erasure or a withdrawal. */
    blobs_gone: count,
    /** Blobs whose bytes are not those of their name. */
    blobs_damaged: count,
  }),
  files: z.object({ bytes: count, sha256 }),
});
export type BackupManifest = z.infer<typeof manifest>;

const listed = z.object({ path: z.string(), bytes: count, sha256 });
export type ListedFile = z.infer<typeof listed>;

/** What a service key is known by, in a file that does not hold it. */
export function proofOfKey(secretKey: string): string {
  return createHash('sha256').update(`vouch backup ${secretKey}`).digest('hex');
}

/** Parts of paths that a backup has: no part begins with a dot, so none leads out. */
const INSIDE = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;

/**
 * What the directory says of itself.
 * @throws EmbeddedError where it is no backup, or one of another build.
 */
export async function readManifest(input: string): Promise<BackupManifest> {
  let text: string;
  try {
    text = await readFile(join(input, MANIFEST), 'utf8');
  } catch (error) {
    throw new EmbeddedError(
      errorCode(error) === 'ENOENT'
        ? `${input} is not a complete backup: it has no ${MANIFEST}. Name a directory that vouch backup wrote to its end.`
        : `${join(input, MANIFEST)} cannot be read (${errorCode(error) ?? 'unknown cause'}).`,
    );
  }
  try {
    return manifest.parse(JSON.parse(text));
  } catch {
    throw new EmbeddedError(
      `${join(input, MANIFEST)} is damaged, or of another form than ${BACKUP_IDENTITY}. Use another backup, or the release that wrote this one.`,
    );
  }
}

/** The files of the backup, line by line. */
export async function* listedFiles(input: string): AsyncGenerator<ListedFile> {
  const lines = createInterface({ input: createReadStream(join(input, FILE_LIST)) });
  for await (const line of lines) {
    let file: ListedFile;
    try {
      file = listed.parse(JSON.parse(line));
    } catch {
      throw new EmbeddedError(`${join(input, FILE_LIST)} is damaged. Use another backup.`);
    }
    if (!INSIDE.test(file.path)) {
      throw new EmbeddedError(`${FILE_LIST} names a file outside of the backup. Use another one.`);
    }
    yield file;
  }
}

async function assertDigest(input: string, file: ListedFile): Promise<void> {
  let found;
  try {
    found = await digestOf(join(input, file.path));
  } catch (error) {
    throw new EmbeddedError(
      `${join(input, file.path)} cannot be read (${errorCode(error) ?? 'unknown cause'}). The backup is not complete; use another one.`,
    );
  }
  if (found.bytes !== file.bytes || found.sha256 !== file.sha256) {
    throw new EmbeddedError(
      `${join(input, file.path)} was changed after the backup was made. Use another backup.`,
    );
  }
}

/**
 * Reads every file of the backup and compares it with its digest.
 * @throws EmbeddedError that names the first file that is missing or differs.
 */
export async function verifyFiles(
  input: string,
  { counts, files }: BackupManifest,
  { say, signal }: { readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<void> {
  await assertDigest(input, { path: FILE_LIST, ...files });
  let [seen, bytes, told] = [0, 0, 0];
  for await (const file of listedFiles(input)) {
    signal.throwIfAborted();
    await assertDigest(input, file);
    seen += 1;
    bytes += file.bytes;
    const quarter = Math.floor((4 * bytes) / Math.max(1, counts.bytes));
    if (quarter > told && quarter < 4) say(`Checked ${25 * quarter} % of the backup.`);
    told = Math.max(told, quarter);
  }
  if (seen !== counts.files) {
    throw new EmbeddedError(`${FILE_LIST} lists ${seen} files instead of ${counts.files}.`);
  }
  say(`Checked all ${seen} files of the backup.`);
}
