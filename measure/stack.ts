/**
 * The one-command start as a child process in a directory of its own, with settings given as an operator gives them.
 * Several starts in one directory share its data.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { defaultPorts, randomPorts, type PortName } from '../embedded/port-numbers.ts';
import { makePrivateDirectory, writePrivateFile } from '../embedded/private-files.ts';
import { newState } from '../embedded/state.ts';
import { findTemporal, type TemporalProgram } from '../embedded/temporal-program/find.ts';
import { removeStart } from './remove-start.ts';
import { ROOT } from './root.ts';

const READY = 'Ctrl-C stops everything';
const START_WITHIN_MS = 300_000;
/** A worker has 30 s before it is killed, and the servers stop after it; more on a busy machine. */
const STOP_WITHIN_MS = 180_000;

const credentials = z.object({
  base_url: z.string(),
  agent: z.object({ api_key: z.string() }),
});
const state = z.object({
  ports: z.object({ postgres: z.int() }),
  secrets: z.object({ postgresSuperuser: z.string() }),
});

export interface StackDirectory {
  readonly path: string;
  remove(): void;
}

export interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

export interface RunningStack {
  readonly output: string;
  /** Everything the start has written up to now. */
  outputSoFar(): string;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Connects to the embedded database as superuser, which bypasses row security. */
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

export function stackDirectory(): StackDirectory {
  const path = mkdtempSync(join(tmpdir(), 'vouch-stack-'));
  return {
    path,
    remove: () => removeStart(path),
  };
}

function readJson(directory: StackDirectory, name: string): unknown {
  return JSON.parse(readFileSync(join(directory.path, '.vouch', name), 'utf8'));
}

/** The variables that find programs and caches on this machine; no setting of the service is passed on. */
export function machineEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'XDG_CACHE_HOME', 'TEMPORAL_CLI_PATH'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function launch(directory: StackDirectory, settings: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [join(ROOT, 'bin/start.mjs')], {
    cwd: directory.path,
    env: { ...machineEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const ready = Promise.withResolvers<void>();
  const read = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
    if (output.includes(READY)) ready.resolve();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
  return { child, ended, ready: ready.promise, output: () => output };
}

async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const overdue = Promise.withResolvers<never>();
  const timer = setTimeout(() => overdue.reject(new Error(`${what} took too long`)), ms);
  try {
    return await Promise.race([work, overdue.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a start that is expected to be refused; answers its output and its exit code. */
export async function refusedStart(
  directory: StackDirectory,
  settings: Readonly<Record<string, string>>,
): Promise<Ended> {
  const started = launch(directory, settings);
  const outcome = await within(
    START_WITHIN_MS,
    'the refusal',
    Promise.race([started.ended, started.ready.then(() => null)]),
  ).finally(() => started.child.kill('SIGTERM'));
  if (outcome !== null) return outcome;
  await started.ended;
  throw new Error('the start was not refused');
}

const PORT_NAMES = Object.keys(defaultPorts) as PortName[];

/**
 * Draws every port at random before the first start. With the defaults, starts side by side on one machine would choose
 * the same ports, because some servers listen only seconds after their port was chosen.
 */
async function drawPorts({ path }: StackDirectory): Promise<void> {
  const home = join(path, '.vouch');
  const file = join(home, 'state.json');
  if (existsSync(file)) return;
  makePrivateDirectory(home);
  writePrivateFile(file, JSON.stringify({ ...newState(), ports: await randomPorts(PORT_NAMES) }));
}

let found: Promise<TemporalProgram> | undefined;

/** Looked for once in a process. On a fresh machine it is built first, which takes minutes and is told on standard error. */
export function machineTemporal(): Promise<TemporalProgram> {
  found ??= findTemporal({
    env: process.env,
    say: (line) => process.stderr.write(`${line}\n`),
    cancelled: new AbortController().signal,
    guard: () => () => undefined,
  });
  return found;
}

/** Starts everything and waits until it is ready. Throws with its output when it ends before that. */
export async function startStack(
  directory: StackDirectory,
  settings: Readonly<Record<string, string>>,
): Promise<RunningStack> {
  await drawPorts(directory);
  // The bound of a start does not hold for a machine that builds Temporal first.
  await machineTemporal();
  const started = launch(directory, settings);
  const stop = async (): Promise<void> => {
    started.child.kill('SIGTERM');
    await within(STOP_WITHIN_MS, 'the stop', started.ended);
  };
  const early = started.ended.then(({ output }): never => {
    throw new Error(`the start ended early:\n${output}`);
  });
  try {
    await within(START_WITHIN_MS, 'the start', Promise.race([started.ready, early]));
  } catch (error) {
    await stop();
    throw new Error(`the start failed; it said:\n${started.output()}`, { cause: error });
  }
  // From here on the end of the process is no error: `stop` waits for it.
  early.catch(() => undefined);
  const { base_url, agent } = credentials.parse(readJson(directory, 'credentials.json'));
  const { ports, secrets } = state.parse(readJson(directory, 'state.json'));
  return {
    output: started.output(),
    outputSoFar: started.output,
    baseUrl: base_url,
    apiKey: agent.api_key,
    databaseUrl: `postgres://postgres:${encodeURIComponent(secrets.postgresSuperuser)}@127.0.0.1:${ports.postgres}/vouch`,
    stop,
  };
}
