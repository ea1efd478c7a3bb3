/** Ends one process by signals, one after the other. Kept free of packages, because the watchdog loads it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../errors.ts';
import { isSameProcess } from './process-table.ts';

/** One signal, and how long the process may take to end after it. */
export interface StopStep {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

/** Signals in the order in which they are sent, each only if the process outlived the one before. */
export type StopPlan = readonly StopStep[];

/** Most servers: SIGTERM is a clean stop. */
export const termThenKill: StopPlan = [
  { signal: 'SIGTERM', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

/**
 * Postgres: SIGTERM waits for every client to leave; SIGINT ends their sessions and writes a
 * checkpoint; SIGQUIT stops at once, to be recovered from the log at the next start. All are safe.
 */
export const postgresStop: StopPlan = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

/** For servers that run on throw-away data, where an orderly stop is not worth its time. */
export const killAtOnce: StopPlan = [{ signal: 'SIGKILL', waitMs: 5_000 }];

/** The same for Postgres, which must end its own child processes: SIGKILL would leave them running. */
export const postgresQuit: StopPlan = [
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

const pollMs = 20;

/**
 * Stops the process with this pid and start time.
 * @returns whether it has ended; false after SIGKILL only for a process that the kernel cannot end.
 * @throws the system error when the process may not be signalled by this user.
 */
export async function terminate(pid: number, startTicks: string, plan: StopPlan): Promise<boolean> {
  for (const step of plan) {
    if (!isSameProcess(pid, startTicks)) return true;
    send(pid, step.signal);
    const deadline = performance.now() + step.waitMs;
    while (performance.now() < deadline) {
      if (!isSameProcess(pid, startTicks)) return true;
      await sleep(pollMs);
    }
  }
  return !isSameProcess(pid, startTicks);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
