/**
 * The inside of a thread: `run` is what the pool calls. A thread leaves the machine to event loops and servers first, since
 * only the senders of long texts wait for it.
 */
import { setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { TASKS, type TaskName, type Tasks } from './tasks.ts';

/** POSIX niceness: a third of the share that an event loop gets. Less would let a busy machine run a task into its time. */
const NICENESS = 5;

// Linux has a priority for each thread (setpriority(2)); elsewhere it would be the whole process's.
if (process.platform === 'linux' && !isMainThread) setPriority(NICENESS);

export interface ThreadQuestion<Name extends TaskName = TaskName> {
  readonly name: Name;
  readonly items: Parameters<Tasks[Name]>[0];
}

export function run({ name, items }: ThreadQuestion): Promise<readonly unknown[]> {
  const task = TASKS[name] as (items: readonly unknown[]) => Promise<readonly unknown[]>;
  return task(items);
}
