/**
 * A lock across processes: a file that names the process that holds it.
 *
 * The file appears complete or not at all (a hard link to a finished draft), so a reader never sees
 * half of it. The file of a holder that no longer runs is removed. A second lock beside it guards the
 * removal, so that no process removes the file of another one that has just taken over.
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
 * Takes the lock at `path` for this process, or answers the process that holds it. Never waits.
 * The same process cannot take it twice.
 */
export function tryLock(path: string): LockAttempt {
  const mine = JSON.stringify(identify(process.pid));
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, mine, { flag: 'wx', mode: 0o600 });
  try {
    // A turn may only remove a stale file. Any other turn fails only when another process was faster.
    for (let turn = 0; turn < 10; turn++) {
      if (linkIfAbsent(draft, path)) return { held: true, release: () => release(path, mine) };
      const found = readIfPresent(path);
      if (found === undefined) continue;
      const holder = parseHolder(found);
      if (holder !== undefined && isRunning(holder)) return { held: false, holder };
      const other = removeStale(path, draft, found);
      if (other !== undefined) return { held: false, holder: other };
    }
    throw new EmbeddedError(
      `Cannot take the lock ${path}: too many processes try to take it at the same time.`,
    );
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

/** Undefined for a file that names no process, such as a file that a power failure cut short. */
function parseHolder(text: string): ProcessIdentity | undefined {
  try {
    return processIdentity.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * Removes the file of a holder that no longer runs. A process removes another's file only while it holds the second
 * lock, so it removes exactly the file that it read. When another running process holds the second lock, that process
 * is about to take over and is the answer. A second lock that a killed process left behind is removed without a guard.
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
