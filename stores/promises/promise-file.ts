/**
 * The list of promises in a file. Processes, and machines where the folder is shared, append to it at once: every append
 * is one write at the end of the file, and is synced before it counts. A write begins with the end of a line, so that it
 * never goes on with what a killed process left. The file is opened anew each time, so that it may be moved away.
 */
import { constants } from 'node:fs';
import { mkdir, open, stat, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { GivenPromise } from '../../domain/promises/kinds.ts';
import { lineOf } from '../../domain/promises/line.ts';
import { syncDirectory } from '../sync-directory.ts';
import { PromiseListError, sha256Digest, type PromiseList } from './promise-list.ts';

export interface PromiseFileOptions {
  readonly path: string;
  readonly pathHash: PromiseList['pathHash'];
  /** Told of every write that failed. */
  readonly onError?: (error: PromiseListError) => void;
}

/** How long a transaction waits for a disk, in milliseconds: less than the database lets one stand still. */
const LONGEST_APPEND_MS = 10_000;
const { O_APPEND, O_CREAT, O_WRONLY } = constants;

function codeOf(error: unknown): string {
  const code: unknown = Reflect.get(Object(error), 'code');
  return typeof code === 'string' ? code : 'UNKNOWN';
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function openAtEnd(path: string): Promise<FileHandle> {
  const folder = dirname(path);
  if (!(await exists(folder))) {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    const above = made === undefined ? folder : dirname(made);
    for (let at = folder; at !== above; at = dirname(at)) await syncDirectory(dirname(at));
  }
  return open(path, O_APPEND | O_CREAT | O_WRONLY, 0o600);
}

/**
 * Writes the text in one write, and syncs it; answers the number of the file. The name of a file that this process has not
 * written to before may not be durable yet, whoever made it.
 */
async function writeDown(path: string, text: string, known: number | null): Promise<number> {
  const bytes = Buffer.from(text, 'utf8');
  const file = await openAtEnd(path);
  try {
    const { ino } = await file.stat();
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten !== bytes.length) throw new PromiseListError('ENOSPC');
    await file.datasync();
    if (ino !== known) await syncDirectory(dirname(path));
    return ino;
  } finally {
    await file.close();
  }
}

async function inTime(work: Promise<void>): Promise<void> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(
    () => timer.reject(new PromiseListError('ETIMEDOUT')),
    LONGEST_APPEND_MS,
  );
  try {
    await Promise.race([work, timer.promise]);
  } finally {
    clearTimeout(timeout);
  }
}

/** Nothing is opened, and no folder made, before the first promise. */
export function createPromiseFile({ onError, path, pathHash }: PromiseFileOptions): PromiseList {
  const file = resolve(path);
  let waiting: string[] = [];
  let next: Promise<void> | null = null;
  let last: Promise<void> = Promise.resolve();
  let known: number | null = null;

  const flush = async (): Promise<void> => {
    const text = `\n${waiting.join('\n')}\n`;
    waiting = [];
    next = null;
    known = await writeDown(file, text, known);
  };
  /** Those that come while a write is under way share the next one, and its sync. */
  const joined = (lines: readonly string[]): Promise<void> => {
    waiting.push(...lines);
    if (next === null) {
      next = last.then(flush);
      last = next.catch(() => undefined);
    }
    return next;
  };
  return {
    pathHash,
    async append(promises: readonly GivenPromise[]) {
      const lines = promises.map((promise) => lineOf(promise, sha256Digest));
      try {
        await inTime(joined(lines));
      } catch (error) {
        const failed =
          error instanceof PromiseListError ? error : new PromiseListError(codeOf(error));
        onError?.(failed);
        throw failed;
      }
    },
  };
}
