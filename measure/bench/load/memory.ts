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

/** Proportional set size in MiB: resident memory, with shared pages divided among the processes that share them. */
function residentMiB(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0) / 1024;
}

/** MiB by name, each process with its children. */
export function residentMemory(stack: LoadedStack): ReadonlyMap<string, number> {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parents = new Map(pids.map((pid) => [pid, parentOf(pid)]));
  const sum = (root: number): number =>
    pids
      .filter((pid) => parents.get(pid) === root)
      .reduce((total, child) => total + sum(child), residentMiB(root));
  return new Map([...stack.processes()].map(([name, pid]) => [name, sum(pid)]));
}
