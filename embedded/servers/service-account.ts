/**
 * The account that Postgres runs as when this process is root: Postgres refuses to run as root.
 * Whether that account can reach a directory is tried out, because mode bits alone do not decide it
 * (access control lists, mount options, containers).
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { causeText, EmbeddedError } from '../errors.ts';
import type { Say } from '../names.ts';

const run = promisify(execFile);

export interface ServiceAccount {
  readonly uid: number;
  readonly gid: number;
}

const accountName = 'postgres';

/**
 * The system account `postgres`, created when it is missing.
 * @throws EmbeddedError when it can be neither found nor created.
 */
export async function ensureServiceAccount(say: Say): Promise<ServiceAccount> {
  const found = await lookUp();
  if (found !== undefined) return found;
  say(`Creating the system account ${accountName}, because Postgres does not run as root.`);
  try {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      accountName,
    ]);
  } catch (error) {
    throw new EmbeddedError(
      `Postgres does not run as root, and the start cannot create the account ${accountName} (${causeText(error)}). Create the account, or start as an ordinary user.`,
    );
  }
  const created = await lookUp();
  if (created === undefined)
    throw new EmbeddedError(`The start created the account ${accountName} but cannot find it.`);
  return created;
}

/** Whether the account can enter this directory and write to it. */
export async function canUse(account: ServiceAccount, directory: string): Promise<boolean> {
  return succeeds(account, '/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', directory]);
}

/** Whether the account can run this program, with all the libraries it needs. */
export async function canRun(account: ServiceAccount, program: string): Promise<boolean> {
  return succeeds(account, program, ['--version']);
}

async function succeeds(
  account: ServiceAccount,
  program: string,
  args: readonly string[],
): Promise<boolean> {
  try {
    await run(program, [...args], {
      cwd: '/',
      env: {},
      uid: account.uid,
      gid: account.gid,
      timeout: 10_000,
    });
    return true;
  } catch {
    return false;
  }
}

async function lookUp(): Promise<ServiceAccount | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (what) => Number((await run('id', [what, accountName])).stdout)),
    );
    return uid === undefined || gid === undefined ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}
