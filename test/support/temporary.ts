/** What the tests of this folder share: a directory that goes away, and processes that do. */
import { afterEach } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, type ProcessIdentity } from '../../embedded/processes/process-identity.ts';

const directories: string[] = [];
const processes: ChildProcess[] = [];

afterEach(() => {
  for (const child of processes.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true });
});

export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'vouch-unit-'));
  directories.push(path);
  return path;
}

/** A Node process running `script`, killed at the end of the test; `ready` once it has printed. */
export async function startScript(script: string, ...args: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  processes.push(child);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}

/** A process that only waits, with these further arguments. */
export async function startIdle(
  ...args: string[]
): Promise<{ child: ChildProcess; identity: ProcessIdentity }> {
  const child = await startScript(`console.log('up'); setInterval(() => {}, 1000)`, ...args);
  return { child, identity: identityOf(child) };
}

export function identityOf(child: ChildProcess): ProcessIdentity {
  const identity = identify(child.pid ?? 0);
  if (identity === undefined) throw new Error('the process has already ended');
  return identity;
}
