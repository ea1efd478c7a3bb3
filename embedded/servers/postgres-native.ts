/** Postgres' program files: completed, and in a place that the account that runs them can reach. */
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { pinnedSha256, verifyChecksum } from '../checksum.ts';
import { causeText, EmbeddedError, errorCode } from '../errors.ts';
import type { Say } from '../names.ts';
import { packageDirectory } from '../platform.ts';
import { canRun, type ServiceAccount } from './service-account.ts';

/**
 * The directory with `bin/`, `lib/` and `share/`: the package's own where it can be completed and run,
 * otherwise a copy of it (60 MB) in `home`.
 * @throws EmbeddedError when the programs are not the expected ones or cannot be run.
 */
export async function nativeFiles(
  home: string,
  account: ServiceAccount | undefined,
  say: Say,
): Promise<string> {
  const own = join(packageDirectory('postgres'), 'native');
  const complete = hydrate(own);
  if (complete && (account === undefined || (await canRun(account, postgresIn(own))))) {
    await verify(own);
    return own;
  }
  const copy = join(home, `native-${packageVersion()}`);
  if (!existsSync(copy)) {
    say(`Copying the programs of Postgres to ${copy}, where Postgres can reach them.`);
    copyWhole(own, copy);
  }
  await verify(copy);
  if (account !== undefined && !(await canRun(account, postgresIn(copy)))) {
    throw new EmbeddedError(
      `User id ${account.uid} cannot run Postgres from ${copy}. Check whether that file system is mounted noexec.`,
    );
  }
  return copy;
}

async function verify(native: string): Promise<void> {
  await verifyChecksum(postgresIn(native), pinnedSha256.postgres);
  await verifyChecksum(join(native, 'bin', 'initdb'), pinnedSha256.initdb);
}

function postgresIn(native: string): string {
  return join(native, 'bin', 'postgres');
}

function packageVersion(): string {
  const text = readFileSync(join(packageDirectory('postgres'), 'package.json'), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

const links = z.array(
  z.object({ source: z.string().startsWith('native/'), target: z.string().startsWith('native/') }),
);

/**
 * Makes the library links that the package lists. npm packs no links, and the package's install script,
 * which makes them, does not run under `--ignore-scripts`.
 * @returns whether all are there now; false when the directory may not be written to.
 */
function hydrate(native: string): boolean {
  const listed = links.parse(JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')));
  try {
    for (const link of listed) {
      const target = join(native, relative('native', link.target));
      const source = join(native, relative('native', link.source));
      if (!existsSync(target)) symlinkSync(relative(dirname(target), source), target);
    }
    return true;
  } catch (error) {
    // Another start made the same link at the same time: check all links again.
    if (errorCode(error) === 'EEXIST') return hydrate(native);
    return false;
  }
}

function copyWhole(from: string, to: string): void {
  const draft = `${to}.${process.pid}.new`;
  try {
    cpSync(from, draft, { recursive: true, verbatimSymlinks: true });
    hydrate(draft);
    renameSync(draft, to);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw new EmbeddedError(`Cannot copy the programs of Postgres to ${to} (${causeText(error)}).`);
  }
}
