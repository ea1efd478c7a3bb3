/**
 * One holder at a time, across processes: a file that names its holder.
 *
 * The file appears complete or not at all (a hard link to a finished draft), so a reader never sees
 * half a holder. A holder that no longer runs holds nothing: its file is moved aside and what was
 * moved is compared with what was read, so that of two newcomers only one takes over.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
      moveAside(path, `${draft}.stale`, found);
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

function moveAside(path: string, aside: string, stale: string): void {
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  // Somebody else took over between reading and moving: give the lock back to that process.
  if (readIfPresent(aside) !== stale) linkIfAbsent(aside, path);
  rmSync(aside, { force: true });
}
