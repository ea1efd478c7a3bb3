/** How much memory another process holds. */
import { readFileSync } from 'node:fs';

const RESIDENT = /^VmRSS:\s+(\d+) kB$/m;

/** In MiB, by what the kernel says of it; null where it says nothing, as outside Linux, or of a process that is gone. */
export function residentMibOf(pid: number | undefined): number | null {
  try {
    const [, kib] = RESIDENT.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? null : Number(kib) / 1_024;
  } catch {
    return null;
  }
}
