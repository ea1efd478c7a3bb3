/** The inside of a thread: `run` is what the pool calls. */
import { TASKS, type TaskName, type Tasks } from './tasks.ts';

export interface ThreadQuestion<Name extends TaskName = TaskName> {
  readonly name: Name;
  readonly items: Parameters<Tasks[Name]>[0];
}

export function run({ name, items }: ThreadQuestion): Promise<readonly unknown[]> {
  const task = TASKS[name] as (items: readonly unknown[]) => Promise<readonly unknown[]>;
  return task(items);
}
