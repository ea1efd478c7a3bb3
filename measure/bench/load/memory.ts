/** Resident memory of the processes of a stack. Postgres' processes share pages; each counts its share of them. */
import { readFileSync, readdirSync } from 'node:fs';
import type { LoadedStack } from './stack.ts';

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(read(pid, 'status'))?.[1]);
}

/** The whole proportional set size, or those of its pages that mirror a file, which the kernel takes back when it must. */
export type MemoryPart = 'Pss' | 'Pss_File';

/** Proportional set size in MiB: resident memory, with shared pages divided among the processes that share them. */
function residentMiB(pid: number, part: MemoryPart): number {
  const field = new RegExp(`^${part}:\\s+(\\d+) kB`, 'm');
  return Number(field.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0) / 1024;
}

/** MiB by name, each process with its children. */
export function residentMemory(
  stack: LoadedStack,
  part: MemoryPart = 'Pss',
): ReadonlyMap<string, number> {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  const sum = (root: number): number =>
    pids
      .filter((pid) => parents.get(pid) === root)
      .reduce((total, child) => total + sum(child), residentMiB(root, part));
  return new Map([...stack.processes()].map(([name, pid]) => [name, sum(pid)]));
}
