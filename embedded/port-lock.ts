/** The lock of a port among the starts of one user on this machine: each looks for free ports before its servers listen. */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The file of the port's lock. Makes the folder for it. */
export function portLock(port: number): string {
  const folder = join(tmpdir(), `vouch-ports-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, String(port));
}
