/**
 * Identifies a process beyond the lifetime of its pid.
 *
 * Pids are reused, soonest in containers and after a reboot. A process is therefore named by pid,
 * start time (clock ticks since boot: field 22 of /proc/<pid>/stat) and the kernel's boot id. Before
 * any signal is sent to a process of an earlier start all three are compared.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isSameProcess, readStartTicks } from './process-table.ts';

export const processIdentity = z.object({
  pid: z.int().positive(),
  startTicks: z.string(),
  bootId: z.string(),
});
export type ProcessIdentity = z.infer<typeof processIdentity>;

/** The identity of a running process, or undefined when there is none with this pid. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startTicks = readStartTicks(pid);
  if (startTicks === undefined) return undefined;
  return { pid, startTicks, bootId: bootId() };
}

/** Whether exactly this process still runs; a zombie does not. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identity.bootId === bootId() && isSameProcess(identity.pid, identity.startTicks);
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
