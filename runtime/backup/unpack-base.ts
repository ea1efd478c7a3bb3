/** Puts a base backup where a server expects its files, and holds each of them to the server's own manifest. */
import { createReadStream } from 'node:fs';
import { chmod, chown, mkdir, readFile, rm, rename } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { z } from 'zod';
import { EmbeddedError } from '../../embedded/errors.ts';
import type { PostgresHome } from '../../embedded/servers/postgres-home.ts';
import { syncDirectory } from '../../stores/sync-directory.ts';
import { digesting, privateFile } from './hashed-file.ts';
import { BASE, BASE_MANIFEST } from './layout.ts';

const manifest = z.object({
  Files: z.array(z.object({ Path: z.string(), Size: z.number(), Checksum: z.string() })),
});

/** The log and what the server writes of its archiving are not in the manifest; the log has checksums of its own. */
const UNLISTED = 'pg_wal/';

interface Unpacking {
  readonly target: string;
  readonly account: PostgresHome['account'];
  /** By path; those that were unpacked are removed. */
  readonly expected: Map<string, { readonly Size: number; readonly Checksum: string }>;
  readonly directories: Set<string>;
  readonly signal: AbortSignal;
}

function damaged(what: string): EmbeddedError {
  return new EmbeddedError(`The copy of the database is damaged: ${what}. Use another backup.`);
}

/** A path below the target. Throws for anything that leads out of it. */
function inside(name: string): string {
  const path = normalize(name).replace(/\/$/, '');
  if (path.startsWith('/') || path.split('/').includes('..')) throw damaged('a path leads out');
  return path;
}

async function own(path: string, account: Unpacking['account']): Promise<void> {
  if (account !== undefined) await chown(path, account.uid, account.gid);
}

async function makeDirectory(path: string, unpacking: Unpacking): Promise<void> {
  if (path === '.' || unpacking.directories.has(path)) return;
  await makeDirectory(dirname(path), unpacking);
  const full = join(unpacking.target, path);
  await mkdir(full, { mode: 0o700, recursive: true });
  await own(full, unpacking.account);
  unpacking.directories.add(path);
}

async function unpackFile(
  entry: AsyncIterable<unknown>,
  path: string,
  unpacking: Unpacking,
): Promise<void> {
  await makeDirectory(dirname(path), unpacking);
  const full = join(unpacking.target, path);
  const hashed = digesting();
  await pipeline(entry, hashed, privateFile(full));
  await own(full, unpacking.account);
  const { bytes, sha256 } = hashed.digest();
  const listed = unpacking.expected.get(path);
  unpacking.expected.delete(path);
  if (listed === undefined) {
    if (!path.startsWith(UNLISTED)) throw damaged(`${path} is not in its manifest`);
  } else if (listed.Size !== bytes || listed.Checksum !== sha256) {
    throw damaged(`${path} differs from its manifest`);
  }
}

async function unpackAll(tar: string, unpacking: Unpacking): Promise<void> {
  const entries = extract();
  const reading = pipeline(createReadStream(tar, { highWaterMark: 1024 * 1024 }), entries, {
    signal: unpacking.signal,
  });
  reading.catch(() => undefined);
  for await (const entry of entries) {
    const path = inside(entry.header.name);
    if (entry.header.type === 'directory') {
      await makeDirectory(path, unpacking);
      entry.resume();
    } else if (entry.header.type === 'file') {
      await unpackFile(entry, path, unpacking);
    } else {
      throw damaged('it holds a link');
    }
  }
  await reading;
  const [missing] = unpacking.expected.keys();
  if (missing !== undefined) throw damaged(`${missing} is missing`);
}

/**
 * Unpacks the base backup of the directory into the home of a server: as a draft, which gets its name when every file is
 * whole and durable.
 * @throws EmbeddedError for a file that is missing, changed, or leads elsewhere.
 */
export async function unpackBase(
  input: string,
  home: PostgresHome,
  signal: AbortSignal,
): Promise<void> {
  const listed = manifest.parse(JSON.parse(await readFile(join(input, BASE_MANIFEST), 'utf8')));
  const target = join(home.path, 'data.new');
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { mode: 0o700 });
  await own(target, home.account);
  const directories = new Set<string>();
  await unpackAll(join(input, BASE), {
    target,
    account: home.account,
    expected: new Map(listed.Files.map((file) => [file.Path, file])),
    directories,
    signal,
  });
  for (const path of directories) await syncDirectory(join(target, path));
  await chmod(target, 0o700);
  await syncDirectory(target);
  await rename(target, home.data);
  await syncDirectory(home.path);
}
