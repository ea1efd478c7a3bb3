/**
 * Reading /proc. Kept free of packages: the watchdog loads it, and must be up within milliseconds.
 */
import { readFileSync, readlinkSync } from 'node:fs';

/** Fields after the parenthesised command name start at field 3, the state. */
const stateField = 0;
const threadsField = 17;
const startTimeField = 19;
/** User and system time in clock ticks: its own, and that of its children that have ended. */
const workedFields = [11, 12, 13, 14] as const;
/** Of Linux on x64. */
const ticksASecond = 100;

/**
 * The start time of a process in clock ticks since boot, from its `/proc/<pid>/stat`. Undefined when it has ended, and
 * only waits to be reaped. A process of several threads is a zombie as soon as its first one has ended: the others may
 * still hold its ports and files, so it has ended with the last of them.
 */
export function ticksOfRunning(stat: string): string | undefined {
  const fields = fieldsOf(stat);
  const state = fields[stateField];
  const isDead = state === 'Z' || state === 'X';
  return isDead && Number(fields[threadsField]) <= 1 ? undefined : fields[startTimeField];
}

/** Processor time that a process has spent, with its ended children; milliseconds. Undefined when no such process runs. */
export function readWorkedMs(pid: number): number | undefined {
  const stat = readOrUndefined(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = fieldsOf(stat);
  const ticks = workedFields.reduce((sum, field) => sum + Number(fields[field]), 0);
  return (ticks * 1_000) / ticksASecond;
}

/** Start time of a process in clock ticks since boot, as text. Undefined when no such process runs. */
export function readStartTicks(pid: number): string | undefined {
  const stat = readOrUndefined(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : ticksOfRunning(stat);
}

/** The fields behind the command name, which may itself hold spaces and parentheses. */
function fieldsOf(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Whether the process with this pid is the one that started at this time. */
export function isSameProcess(pid: number, startTicks: string): boolean {
  return readStartTicks(pid) === startTicks;
}

/** The arguments a process was started with; empty when it is gone or this user may not read them. */
export function readArguments(pid: number): readonly string[] {
  return (readOrUndefined(`/proc/${pid}/cmdline`) ?? '').split('\0').filter((part) => part !== '');
}

/** The working directory of a process, or undefined when it is gone or this user may not read it. */
export function readWorkingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** When a process started, in seconds since 1970. */
export function readStartSeconds(pid: number): number | undefined {
  const ticks = readStartTicks(pid);
  const boot = /^btime (\d+)$/m.exec(readOrUndefined('/proc/stat') ?? '')?.[1];
  return ticks === undefined || boot === undefined
    ? undefined
    : Number(boot) + Number(ticks) / ticksASecond;
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
