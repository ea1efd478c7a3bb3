/** Files that only their owner may read, and that are replaced as a whole or not at all. */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { errorCode } from './errors.ts';

const ownerOnlyFile = 0o600;
const ownerOnlyDirectory = 0o700;

/** Makes a directory for its owner alone (0700), with missing parents likewise. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: ownerOnlyDirectory });
}

/** Writes a file (0600) beside the old one, flushes it, and puts it in its place. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.new`;
  const file = openSync(draft, 'w', ownerOnlyFile);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  chmodSync(draft, ownerOnlyFile);
  renameSync(draft, path);
}

/** The text of a file, or undefined when there is none. Other errors are thrown. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
