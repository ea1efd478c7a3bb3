/**
 * The code inside a thread: the pool calls `run`. Event loops and servers go before a thread, because only the senders
 * of long texts wait for it.
 */
import { setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import type { TaskName, Tasks } from './tasks.ts';

/** POSIX niceness: a tenth of the share of an event loop. With less, a task would run out of time on a busy machine. */
const NICENESS = 10;

// Linux has a priority for each thread (setpriority(2)); elsewhere the call would change the whole process.
if (process.platform === 'linux' && !isMainThread) setPriority(NICENESS);
// Loading the modules of the tasks takes as long as a long text, so it happens at the lower priority too.
const { TASKS } = await import('./tasks.ts');

export interface ThreadQuestion<Name extends TaskName = TaskName> {
  readonly name: Name;
  readonly items: Parameters<Tasks[Name]>[0];
}

export function run({ name, items }: ThreadQuestion): Promise<readonly unknown[]> {
  const task = TASKS[name] as (items: readonly unknown[]) => Promise<readonly unknown[]>;
  return task(items);
}
