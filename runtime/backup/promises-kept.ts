/**
 * The list of promises after a restore: every line that is known. It is the list of the next restore, which may be of an
 * older backup.
 */
import { createReadStream, existsSync } from 'node:fs';
import { chmod, copyFile, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncDirectory } from '../../stores/sync-directory.ts';
import { digestOf } from './hashed-file.ts';
import { PROMISES } from './layout.ts';

/** Lists that are one and the same are written once. */
async function distinct(paths: readonly string[]): Promise<readonly string[]> {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const { bytes, sha256 } = await digestOf(path);
    seen.set(`${bytes} ${sha256}`, path);
  }
  return [...seen.values()];
}

/**
 * Writes the lines of all lists to the list of the installation: of the backup, of those that were named, and what the
 * list holds already. A line that several lists hold stands there several times, which changes nothing.
 */
export async function keepPromises(
  file: string,
  input: string,
  lists: readonly string[],
): Promise<void> {
  const known = [join(input, PROMISES), ...lists, file].filter((path) => existsSync(path));
  const sources = await distinct(known);
  if (sources.length === 0 || (sources.length === 1 && sources[0] === file)) return;
  const draft = `${file}.restored`;
  const [first = file, ...others] = sources;
  await copyFile(first, draft);
  await chmod(draft, 0o600);
  for (const source of others) {
    const to = await open(draft, 'a', 0o600);
    // A list may end with a line that was cut; what follows it begins a line of its own.
    await to.write('\n');
    await pipeline(createReadStream(source), to.createWriteStream({ flush: true }));
  }
  await rename(draft, file);
  await syncDirectory(dirname(file));
}
