/**
 * One holder at a time, across processes: a file that names its holder.
 *
 * The file appears complete or not at all (a hard link to a finished draft), so a reader never sees
 * half a holder. A holder that no longer runs holds nothing: its file is removed under a lock of its
 * own beside it, so that of many newcomers none removes the file of one that has just taken over.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { EmbeddedError, errorCode } from './errors.ts';
import { readIfPresent } from './private-files.ts';
import {
  identify,
  isRunning,
  type ProcessIdentity,
  processIdentity,
} from './processes/process-identity.ts';

export type LockAttempt =
  | { readonly held: true; readonly release: () => void }
  | { readonly held: false; readonly holder: ProcessIdentity };

/**
 * Takes the lock at `path` for this process, or says who holds it. Never waits.
 * The same process cannot take it twice.
 */
export function tryLock(path: string): LockAttempt {
  const mine = JSON.stringify(identify(process.pid));
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, mine, { flag: 'wx', mode: 0o600 });
  try {
    // Every turn but the last is lost only to another process that won it.
    for (let turn = 0; turn < 10; turn++) {
      if (linkIfAbsent(draft, path)) return { held: true, release: () => release(path, mine) };
      const found = readIfPresent(path);
      if (found === undefined) continue;
      const holder = parseHolder(found);
      if (holder !== undefined && isRunning(holder)) return { held: false, holder };
      const other = removeStale(path, draft, found);
      if (other !== undefined) return { held: false, holder: other };
    }
    throw new EmbeddedError(`Cannot take the lock ${path}: too many processes want it at once.`);
  } finally {
    rmSync(draft, { force: true });
  }
}

function release(path: string, mine: string): void {
  if (readIfPresent(path) === mine) rmSync(path, { force: true });
}

function linkIfAbsent(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined for a file that names nobody, as one cut short by a power failure. */
function parseHolder(text: string): ProcessIdentity | undefined {
  try {
    return processIdentity.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * Removes the file of a holder that no longer runs. Only who holds the lock beside it removes a file that is not its
 * own, so what is read under that lock is what is removed. Answers who holds it, where that is another process: that
 * one is about to take over. What a process left there that was killed in these few microseconds is removed unguarded.
 */
function removeStale(path: string, draft: string, stale: string): ProcessIdentity | undefined {
  const guard = `${path}.takeover`;
  if (!linkIfAbsent(draft, guard)) {
    const found = readIfPresent(guard);
    if (found === undefined) return undefined;
    const other = parseHolder(found);
    if (other !== undefined && isRunning(other)) return other;
    rmSync(guard, { force: true });
    return undefined;
  }
  try {
    if (readIfPresent(path) === stale) rmSync(path, { force: true });
    return undefined;
  } finally {
    rmSync(guard, { force: true });
  }
}
