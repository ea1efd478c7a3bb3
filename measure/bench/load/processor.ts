/** Processor time of the service's processes and servers, as the kernel counts it. */
import { readdirSync, readFileSync } from 'node:fs';
import type { LoadedStack } from './stack.ts';

/** The kernel counts processor time in hundredths of a second for every program. */
const TICKS_A_SECOND = 100;

function statOf(pid: number): { readonly parent: number; readonly ticks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces; the fields that count come after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // Its own time, in the program and in the kernel, and that of children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return null;
  }
}

/** Processor time in seconds by name of process, each with its children. */
export function processorSeconds(stack: LoadedStack): ReadonlyMap<string, number> {
  const stats = new Map(
    readdirSync('/proc')
      .map(Number)
      .filter(Number.isInteger)
      .flatMap((pid) => {
        const stat = statOf(pid);
        return stat === null ? [] : [[pid, stat] as const];
      }),
  );
  const total = (root: number): number =>
    [...stats]
      .filter(([, { parent }]) => parent === root)
      .reduce((sum, [child]) => sum + total(child), stats.get(root)?.ticks ?? 0);
  return new Map([...stack.processes()].map(([name, pid]) => [name, total(pid) / TICKS_A_SECOND]));
}
