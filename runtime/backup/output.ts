/**
 * The directory that a backup is written to: `<output>.partial` until its last file is durable, then renamed. A backup
 * that is killed leaves a directory of another name, which the next one to the same place removes.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { appendFile, mkdir, opendir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedError, causeText } from '../../embedded/errors.ts';
import { tryLock } from '../../embedded/lock.ts';
import { syncDirectory } from '../../stores/sync-directory.ts';
import { digestOf, type FileDigest } from './hashed-file.ts';
import { FILE_LIST, MANIFEST, type BackupManifest } from './layout.ts';

/** Says that a directory is a backup that was begun, and by whom. */
const MARK = 'unfinished';
/** Lines of the list that are written together. */
const LINES = 500;

export interface BackupOutput {
  /** Where the files are written. */
  readonly folder: string;
  /** Puts a file on the list. Its bytes are in the folder already. */
  add(path: string, digest: FileDigest): Promise<void>;
  readonly counted: () => { readonly files: number; readonly bytes: number };
  /** Writes the list and the manifest, makes all durable, and gives the directory its name. */
  complete(rest: Omit<BackupManifest, 'files'>): Promise<BackupManifest>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

function isEmptyOrAbsent(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return true;
  return statSync(path).isDirectory() && readdirSync(path).length === 0;
}

/** Takes the unfinished directory for this process, emptied. Answers what gives it back. */
function claim(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = readdirSync(folder);
    if (found.length > 0 && !found.includes(MARK)) {
      throw new EmbeddedError(`${folder} holds other files. Move it away, or name another output.`);
    }
    const lock = tryLock(join(folder, MARK));
    if (!lock.held) {
      throw new EmbeddedError(`Process ${lock.holder.pid} is writing a backup to ${folder}.`);
    }
    for (const name of readdirSync(folder)) {
      if (name !== MARK) rmSync(join(folder, name), { recursive: true, force: true });
    }
    return lock.release;
  } catch (error) {
    if (error instanceof EmbeddedError) throw error;
    throw new EmbeddedError(`Cannot write ${folder} (${causeText(error)}). Name another output.`);
  }
}

/** A directory with many below it: their names are durable, the deepest first. */
async function syncBelow(path: string): Promise<void> {
  for await (const entry of await opendir(path)) {
    if (entry.isDirectory()) await syncBelow(join(path, entry.name));
  }
  await syncDirectory(path);
}

async function durableFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flag: 'wx', flush: true });
}

/**
 * Opens `<output>.partial`.
 * @throws EmbeddedError where the output holds something, or another backup writes there.
 */
export async function openOutput(output: string): Promise<BackupOutput> {
  if (!isEmptyOrAbsent(output)) {
    throw new EmbeddedError(`${output} is not empty. Name a directory that does not exist yet.`);
  }
  const folder = `${output}.partial`;
  const release = claim(folder);
  const list = join(folder, FILE_LIST);
  await mkdir(join(folder, 'postgres'), { mode: 0o700 });
  await mkdir(join(folder, 'installation'), { mode: 0o700 });
  const counted = { files: 0, bytes: 0 };
  let lines: string[] = [];
  const writeLines = async (flush: boolean): Promise<void> => {
    await appendFile(list, lines.join(''), { mode: 0o600, flush });
    lines = [];
  };
  return {
    folder,
    counted: () => counted,
    async add(path, digest) {
      counted.files += 1;
      counted.bytes += digest.bytes;
      lines.push(`${JSON.stringify({ path, ...digest })}\n`);
      if (lines.length >= LINES) await writeLines(false);
    },
    async complete(rest) {
      await writeLines(true);
      const manifest: BackupManifest = { ...rest, files: await digestOf(list) };
      await syncBelow(folder);
      await durableFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
      await syncDirectory(folder);
      renameSync(folder, output);
      await syncDirectory(dirname(output));
      await rm(join(output, MARK), { force: true });
      return manifest;
    },
    async discard() {
      await rm(folder, { recursive: true, force: true });
      release();
    },
  };
}
