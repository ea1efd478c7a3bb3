/**
 * Changes a file in the home of the person: whole or not at all, with a copy of what was there. Files that lead elsewhere
 * (symbolic links) and files of other people are left alone.
 */
import { lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Stats } from 'node:fs';
import { UsageError } from '../errors.ts';

/** Bytes of a client's file. */
const MOST_FILE_BYTES = 32 * 1_048_576;
const OWNER_ONLY = 0o600;

async function statOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ENOENT') return null;
    throw error;
  }
}

function assertOwn(path: string, stats: Stats, kind: 'file' | 'folder'): void {
  if (stats.isSymbolicLink())
    throw new UsageError(`${path} is a symbolic link. The command changed nothing.`);
  const isKind = kind === 'file' ? stats.isFile() : stats.isDirectory();
  if (!isKind) throw new UsageError(`${path} is not a ${kind}. The command changed nothing.`);
  if (process.getuid !== undefined && stats.uid !== process.getuid()) {
    throw new UsageError(`${path} belongs to another user. The command changed nothing.`);
  }
}

/** Every folder between the home and the file is a folder of the person. */
async function assertFolders(home: string, path: string): Promise<void> {
  const parts = relative(home, dirname(path)).split(sep).filter(Boolean);
  for (const [at] of parts.entries()) {
    const folder = join(home, ...parts.slice(0, at + 1));
    const stats = await statOf(folder);
    if (stats !== null) assertOwn(folder, stats, 'folder');
  }
}

async function writeNew(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The first free name for a copy. */
async function backup(path: string, text: string, mode: number): Promise<string> {
  for (let number = 1; ; number += 1) {
    const copy = `${path}.before-vouch-${number}`;
    if ((await statOf(copy)) !== null) continue;
    await writeNew(copy, text, mode);
    return copy;
  }
}

const isSame = (a: Stats | null, b: Stats | null): boolean =>
  a?.ino === b?.ino && a?.size === b?.size && a?.mtimeMs === b?.mtimeMs;

export interface Changed {
  readonly changed: boolean;
  /** The copy of what was there; null when there was nothing, or nothing changed. */
  readonly backup: string | null;
}

/**
 * Replaces the text of `path` by `edit` of it; a missing file counts as empty. `edit` may throw: then nothing is changed.
 * Throws `UsageError`, with a sentence for the person, for a file that must be left alone.
 */
export async function changeUserFile(
  home: string,
  path: string,
  edit: (text: string) => string,
): Promise<Changed> {
  await assertFolders(home, path);
  const before = await statOf(path);
  if (before !== null) assertOwn(path, before, 'file');
  if ((before?.size ?? 0) > MOST_FILE_BYTES) {
    throw new UsageError(`${path} is too large. The command changed nothing.`);
  }
  const text = before === null ? '' : await readFile(path, 'utf8');
  const edited = edit(text);
  if (before !== null && edited === text) return { changed: false, backup: null };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const mode = before === null ? OWNER_ONLY : before.mode & 0o777;
  const fresh = `${path}.vouch-${process.pid}`;
  try {
    await writeNew(fresh, edited, mode);
    const copy = before === null ? null : await backup(path, text, mode);
    if (!isSame(before, await statOf(path))) {
      throw new UsageError(
        `${path} changed in the meantime. The command changed nothing. Run it again.`,
      );
    }
    await rename(fresh, path);
    return { changed: true, backup: copy };
  } finally {
    await rm(fresh, { force: true });
  }
}
