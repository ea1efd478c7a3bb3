/** A fresh clone of this repository in a directory of its own, and `npm start` in it, as a person would. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../architecture/source-tree.ts';
import { machineTemporal } from '../../measure/stack.ts';
import { removeStart } from '../../measure/remove-start.ts';

export interface Person {
  readonly name: string;
  /** Undefined runs as the user that runs the test. */
  readonly uid?: number;
  readonly gid?: number;
}

export interface Checkout {
  readonly directory: string;
  readonly person: Person;
  readonly environment: Readonly<Record<string, string>>;
  remove(): void;
}

const PATH = process.env['PATH'] ?? '/usr/bin:/bin';

function as(person: Person): { uid?: number; gid?: number } {
  return {
    ...(person.uid === undefined ? {} : { uid: person.uid }),
    ...(person.gid === undefined ? {} : { gid: person.gid }),
  };
}

/** As a newcomer does, with this machine's own npm settings and cache, which the person need not have. */
function installPackages(directory: string): void {
  execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** The files of this checkout under a second name: nothing is copied where the file system allows that. */
function linkPackages(directory: string): void {
  const from = realpathSync(join(ROOT, 'node_modules'));
  const to = join(directory, 'node_modules');
  try {
    execFileSync('cp', ['-al', from, to], { stdio: 'ignore' });
  } catch {
    // On another file system than this checkout.
    execFileSync('cp', ['-aT', from, to]);
  }
}

/**
 * In place of npm's own, which takes longer to find an installed program than most commands take. It knows the two ways in
 * which our pages and tests call it, the program of this package, and those of the packages that it needs.
 */
const SHORT_NPX = `#!/bin/sh
[ "$1" = --no-install ] && shift
program=$1
shift
export PATH="$PWD/node_modules/.bin:$PATH"
[ "$program" = vouch ] && exec node bin/vouch.mjs "$@"
exec "node_modules/.bin/$program" "$@"
`;

/** Answers the search path on which it comes first. */
function placeShortNpx(base: string): string {
  const programs = join(base, 'programs');
  mkdirSync(programs);
  writeFileSync(join(programs, 'npx'), SHORT_NPX, { mode: 0o755 });
  return `${programs}:${PATH}`;
}

/**
 * Clones the committed tree below a directory that only `person` may enter, with an empty HOME and packages.
 * Temporal's program is the one this machine has: building it takes minutes and is the start's own business. Beside linked
 * packages stands a shorter `npx`.
 */
export async function freshCheckout(
  person: Person,
  packages: 'installed' | 'linked',
): Promise<Checkout> {
  const base = mkdtempSync(join(tmpdir(), 'vouch-checkout-'));
  const directory = join(base, 'vouch');
  const home = join(base, 'home');
  mkdirSync(home);
  const temporal = await machineTemporal();
  const program = join(base, 'temporal');
  cpSync(temporal.path, program);
  chmodSync(program, 0o755);
  execFileSync('git', ['clone', '--quiet', ROOT, directory]);
  const path = packages === 'linked' ? placeShortNpx(base) : PATH;
  if (packages === 'installed') installPackages(directory);
  if (person.uid !== undefined) {
    execFileSync('chown', ['-R', `${person.uid}:${person.gid ?? person.uid}`, base]);
  }
  // They stay whose they are: they are the files of this checkout too.
  if (packages === 'linked') linkPackages(directory);
  chmodSync(base, 0o700);
  const environment = { PATH: path, HOME: home, TEMPORAL_CLI_PATH: program };
  return {
    directory,
    person,
    environment,
    remove: () => removeStart(directory, base),
  };
}

export interface Start {
  readonly process: ChildProcess;
  readonly output: readonly string[];
  /** The lines of curl that were printed. */
  readonly curls: readonly string[];
  readonly seconds: number;
}

/** Runs `npm start` until it says that it is ready. Throws with its output when it ends before that. */
export async function start(
  checkout: Checkout,
  extra: Readonly<Record<string, string>> = {},
): Promise<Start> {
  const startedAt = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: checkout.directory,
    env: { ...checkout.environment, ...extra },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    ...as(checkout.person),
  });
  const output: string[] = [];
  let text = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString('utf8');
      if (text.includes('Ctrl-C stops everything')) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new Error(`npm start ended early:\n${text}`)));
  });
  output.push(...text.split('\n'));
  return {
    process: child,
    output,
    curls: output.filter((line) => line.startsWith('curl ')),
    seconds: (performance.now() - startedAt) / 1000,
  };
}

/** Runs a printed line in a shell of its own, in another directory. Answers body and status. */
export function paste(checkout: Checkout, line: string): { status: number; body: unknown } {
  const text = execFileSync('bash', ['-c', line], {
    cwd: '/',
    env: checkout.environment,
    encoding: 'utf8',
    ...as(checkout.person),
  }).trimEnd();
  const at = text.lastIndexOf('\n');
  return { status: Number(text.slice(at + 1)), body: JSON.parse(text.slice(0, at)) };
}

/** Runs the blocks of bash of a page, in one shell in the checkout. Throws when a line of them fails. */
export function pastePage(checkout: Checkout, path: string): string {
  const page = readFileSync(join(checkout.directory, path), 'utf8');
  const blocks = Array.from(page.matchAll(/```bash\n(.*?)```/gs), ([, block = '']) => block);
  return execFileSync('bash', ['-eo', 'pipefail', '-c', blocks.join('')], {
    cwd: checkout.directory,
    env: checkout.environment,
    encoding: 'utf8',
    ...as(checkout.person),
  });
}

/** Runs the command line with `--json` and `input` as its standard input. Answers its value. */
export function vouch(checkout: Checkout, args: readonly string[], input: string): unknown {
  return JSON.parse(
    execFileSync('npx', ['--no-install', 'vouch', ...args, '--json'], {
      cwd: checkout.directory,
      env: checkout.environment,
      encoding: 'utf8',
      input,
      ...as(checkout.person),
    }),
  );
}

const credentials = z.object({
  base_url: z.string(),
  temporal_ui_url: z.string(),
  admin: z.object({ email: z.string(), password: z.string(), token: z.string() }),
  agent: z.object({ peer_key: z.string(), api_key: z.string() }),
});
export type StartCredentials = z.infer<typeof credentials>;

export function readStartCredentials(checkout: Checkout): StartCredentials {
  return credentials.parse(
    JSON.parse(readFileSync(join(checkout.directory, '.vouch/credentials.json'), 'utf8')),
  );
}

/** Process ids whose command line names this checkout's data directory. */
export function processesOf(checkout: Checkout): number[] {
  const listing = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  return listing
    .split('\n')
    .filter((line) => line.includes(`${checkout.directory}/`))
    .map((line) => Number(line.trim().split(' ', 1)[0]));
}

/** Ends the whole start as Ctrl-C in its terminal would, and waits for it. */
export async function interrupt(started: Start | undefined): Promise<void> {
  if (started === undefined) return;
  const { pid, exitCode, signalCode } = started.process;
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  const ended = new Promise<void>((resolve) => started.process.once('exit', () => resolve()));
  process.kill(-pid, 'SIGINT');
  await ended;
}
