/** What searches cost, as the processes and the service's own metrics tell. */
import { readdirSync, readFileSync } from 'node:fs';
import type { LoadedStack } from '../load/stack.ts';

/** Milliseconds in all, by part. */
export type Parts = ReadonlyMap<string, number>;

/** The kernel counts processor time in hundredths of a second for every program. */
const TICKS_A_SECOND = 100;
const SUM =
  /^vouch_search_(?:stage|component)_duration_seconds_sum\{(?:[^}]*,)?(stage|component)="(\w+)"[^}]*\} (\S+)$/gm;

/** Sums of the durations of stages and strategies, by the metrics of the process that answers. */
export async function parts({ metricsUrl }: LoadedStack): Promise<Parts> {
  const text = await (await fetch(metricsUrl)).text();
  return new Map(
    [...text.matchAll(SUM)].map(([, kind, name, sum]) => [`${kind} ${name}`, Number(sum) * 1000]),
  );
}

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
