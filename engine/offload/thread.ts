/**
 * The inside of a thread: `run` is what the pool calls. A thread leaves the machine to event loops and servers first, since
 * only the senders of long texts wait for it.
 */
import { setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import type { TaskName, Tasks } from './tasks.ts';

/** POSIX niceness: a tenth of the share that an event loop gets. Less would let a busy machine run a task into its time. */
const NICENESS = 10;

// Linux has a priority for each thread (setpriority(2)); elsewhere it would be the whole process's.
if (process.platform === 'linux' && !isMainThread) setPriority(NICENESS);
// Loading what the work needs takes as long as a long text does, and is no more urgent.
const { TASKS } = await import('./tasks.ts');

export interface ThreadQuestion<Name extends TaskName = TaskName> {
  readonly name: Name;
  readonly items: Parameters<Tasks[Name]>[0];
}

export function run({ name, items }: ThreadQuestion): Promise<readonly unknown[]> {
  const task = TASKS[name] as (items: readonly unknown[]) => Promise<readonly unknown[]>;
  return task(items);
}
