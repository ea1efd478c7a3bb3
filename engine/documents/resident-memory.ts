/** How much memory another process holds. */
import { readFileSync } from 'node:fs';

const RESIDENT = /^VmRSS:\s+(\d+) kB$/m;

/** In MiB, as the kernel reports it (`VmRSS`); null outside Linux, and for a process that has ended. */
export function residentMibOf(pid: number | undefined): number | null {
  try {
    const [, kib] = RESIDENT.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? null : Number(kib) / 1_024;
  } catch {
    return null;
  }
}
