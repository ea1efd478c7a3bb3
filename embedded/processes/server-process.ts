/** One server as a child process, and how it is started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { causeText, EmbeddedError } from '../errors.ts';
import type { ChildName } from '../names.ts';
import { identify, type ProcessIdentity } from './process-identity.ts';
import type { StopPlan } from './terminate.ts';

export interface ServerSpec {
  readonly name: ChildName;
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the server; secrets go here rather than into arguments. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The account to run as, when it is another than this process has. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  /** The argument in `args` that names the data; the next start recognises a leftover server by it. */
  readonly dataPath: string;
  readonly logFile: string;
  readonly stopPlan: StopPlan;
  /** A start gives up when the server has done nothing for so long (`readiness.ts`); two minutes when left out. */
  readonly hangsAfterMs?: number;
  /** True of a server that may come to a state in which it answers nothing more: it is started again (`silence.ts`). */
  readonly startsAgainWhenSilent?: true;
  /** POSIX niceness, 1 to 19: the higher, the smaller the server's share of the machine; normal when left out. */
  readonly niceness?: number;
  /** Checks once whether the server answers as it should. An error counts as no; an EmbeddedError ends the start. */
  isReady(signal: AbortSignal): Promise<boolean>;
  /** Runs before each start. */
  prepare?(): Promise<void>;
}

export interface RunningServer {
  readonly identity: ProcessIdentity;
  /** Resolves with how the process ended. Does not keep this process awake until `hold` is called. */
  readonly ended: Promise<string>;
  hold(): void;
}

const rotateAtBytes = 16 * 1024 * 1024;

/**
 * Spawns the server in a session of its own, so that a Ctrl-C in the terminal reaches the parent
 * alone and the parent decides the order of things.
 * @throws EmbeddedError when the program cannot be started at all.
 */
export async function spawnServer(spec: ServerSpec): Promise<RunningServer> {
  await spec.prepare?.();
  const log = openLog(spec.logFile);
  // Only its own account may read the files that a server writes. The child inherits the mask at the fork,
  // which has happened when spawn returns, so this process makes no file under that mask.
  const mask = process.umask(0o077);
  let child: ChildProcess;
  try {
    child = spawn(spec.command, [...spec.args], {
      cwd: spec.cwd,
      detached: true,
      env: { ...spec.env },
      stdio: ['ignore', log, log],
      ...(spec.account === undefined ? {} : { uid: spec.account.uid, gid: spec.account.gid }),
    });
  } finally {
    process.umask(mask);
    closeSync(log);
  }
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : signal));
  child.once('error', (error) => resolve(causeText(error)));
  child.unref();
  const identity = child.pid === undefined ? undefined : identify(child.pid);
  if (identity === undefined) {
    throw new EmbeddedError(
      `${spec.name} did not start (${await ended}). Its log is ${spec.logFile}.`,
    );
  }
  if (spec.niceness !== undefined) lowerPriority(identity.pid, spec.niceness);
  return { identity, ended, hold: () => child.ref() };
}

/**
 * Linux may share the machine among sessions first (`kernel.sched_autogroup_enabled`), then among the processes of each
 * session. A server is a session of its own, so both priorities are set. Failures are ignored; `untilReady` notices a
 * process that has ended.
 */
function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // Without autogroups there is no such file, and the niceness of the process counts alone.
  }
}

/** Opens the log for appending (0600). A log past 16 MiB is renamed to `.1` first, which replaces the former `.1`. */
function openLog(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > rotateAtBytes)
    renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}
