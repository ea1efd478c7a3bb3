/**
 * Which directory holds Postgres' data, and which account runs it.
 *
 * An ordinary user runs Postgres in `.vouch/postgres`. Root must run it as another account. That account gets a
 * directory of its own in `.vouch/` and the right to pass through `.vouch/` itself (mode 0710 with the account's
 * group: it can enter a directory that it knows by name, and list nothing). When the account cannot reach `.vouch/`,
 * below a home of mode 0700 for example, the data go to /var/lib/vouch instead; the caller remembers the path.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DataDirectory } from '../data-dir.ts';
import { causeText, EmbeddedError } from '../errors.ts';
import { tryLock } from '../lock.ts';
import type { Say } from '../names.ts';
import { nativeFiles } from './postgres-native.ts';
import { makePrivateDirectory } from '../private-files.ts';
import { canUse, ensureServiceAccount, type ServiceAccount } from './service-account.ts';

export interface PostgresHome {
  /** Remembered by the caller when it is not the data directory's own. */
  readonly path: string;
  /** `bin/`, `lib/`, `share/`. */
  readonly native: string;
  readonly data: string;
  /** Set when Postgres runs as another account than this process. */
  readonly account: ServiceAccount | undefined;
  /** Releases the lock of the directory, if it has one. */
  release(): void;
}

export interface PostgresHomeOptions {
  readonly directory: DataDirectory;
  readonly remembered: string | undefined;
  readonly uid: number;
  readonly say: Say;
  /** Told of the directory as soon as it is made, before anything is put there: whoever is killed then can remove it. */
  readonly onPlaced?: (path: string) => void;
  /** Parent directories to try when the account cannot reach the data directory, in this order. */
  readonly elsewhere?: readonly string[];
}

const usualPlaces = ['/var/lib/vouch', '/var/tmp/vouch'] as const;

/** @throws EmbeddedError when no place can be found or another stack uses the remembered one. */
export async function placePostgres(options: PostgresHomeOptions): Promise<PostgresHome> {
  if (options.uid !== 0) {
    const path = options.directory.postgresHome;
    makePrivateDirectory(path);
    return finish(path, undefined, options.say);
  }
  const account = await ensureServiceAccount(options.say);
  const path = options.remembered ?? (await firstHome(account, options));
  options.onPlaced?.(path);
  giveTo(account, path);
  if (!(await canUse(account, path))) {
    throw new EmbeddedError(
      `The data of Postgres is in ${path}, which user id ${account.uid} can no longer reach. Give that user access to the parent directories again.`,
    );
  }
  return finish(path, account, options.say, path !== options.directory.postgresHome);
}

async function finish(
  path: string,
  account: ServiceAccount | undefined,
  say: Say,
  elsewhere = false,
): Promise<PostgresHome> {
  // A copy of `.vouch/` names the same directory as the original, and the lock of each `.vouch/` guards only itself.
  const lock = elsewhere ? tryLock(join(path, 'lock')) : undefined;
  if (lock?.held === false) {
    throw new EmbeddedError(
      `Process ${lock.holder.pid} uses the data of Postgres in ${path}. Stop that process first.`,
    );
  }
  if (elsewhere) say(`Postgres keeps its data in ${path}.`);
  const release = () => lock?.release();
  try {
    return {
      path,
      native: await nativeFiles(path, account, say),
      data: join(path, 'data'),
      account,
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** The directory for a first start: in the data directory if the account can reach it. */
async function firstHome(account: ServiceAccount, options: PostgresHomeOptions): Promise<string> {
  const { directory } = options;
  chownSync(directory.path, options.uid, account.gid);
  chmodSync(directory.path, 0o710);
  giveTo(account, directory.postgresHome);
  if (await canUse(account, directory.postgresHome)) return directory.postgresHome;
  chmodSync(directory.path, 0o700);
  chownSync(directory.path, options.uid, process.getgid?.() ?? 0);
  rmSync(directory.postgresHome, { recursive: true });

  const causes: string[] = [];
  for (const place of options.elsewhere ?? usualPlaces) {
    const home = join(place, `${slug(directory)}-${randomBytes(4).toString('hex')}`);
    try {
      makePlace(place);
      giveTo(account, home);
      if (await canUse(account, home)) {
        options.say(
          `User id ${account.uid}, which Postgres uses under root, cannot enter ${directory.path}.`,
        );
        return home;
      }
      rmSync(home, { recursive: true });
      causes.push(`the account cannot enter ${place} either`);
    } catch (error) {
      causes.push(`${place}: ${causeText(error)}`);
    }
  }
  throw new EmbeddedError(
    `Postgres does not run as root, and its account can enter neither ${directory.path} nor another place (${causes.join('; ')}). Start as an ordinary user, or in a directory that other users may enter.`,
  );
}

/** Makes a directory that all users may pass through and only root may change; refuses one of another user. */
function makePlace(place: string): void {
  mkdirSync(place, { recursive: true, mode: 0o711 });
  const found = lstatSync(place);
  if (!found.isDirectory() || found.uid !== 0) throw new EmbeddedError('not a directory of root');
}

function giveTo(account: ServiceAccount, path: string): void {
  makePrivateDirectory(path);
  chownSync(path, account.uid, account.gid);
}

/** A name that tells a person which directory these data belong to. */
function slug(directory: DataDirectory): string {
  const name = basename(dirname(directory.path)).replaceAll(/[^A-Za-z0-9_-]/g, '');
  return name === '' ? 'data' : name.slice(0, 40);
}
