/** The processes of a one-command start, one by one: found in the list that it keeps, and killed. */
import { join } from 'node:path';
import { readChildList } from '../../../embedded/processes/child-list.ts';
import { isRunning } from '../../../embedded/processes/process-identity.ts';
import type { StackDirectory } from '../../../measure/stack.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { until } from './until.ts';

export const PROCESSES = [
  'api',
  'temporal',
  'meilisearch',
  'qdrant',
  'postgres',
  'worker',
] as const;
export type ProcessName = (typeof PROCESSES)[number];

/** The process id of a child that runs now; null between its death and its next start. */
export function pidOf(directory: StackDirectory, name: ProcessName): number | null {
  const children = readChildList(join(directory.path, '.vouch', 'children.json'));
  const entry = children.findLast((child) => child.name === name);
  return entry !== undefined && isRunning(entry.identity) ? entry.identity.pid : null;
}

function signal(directory: StackDirectory, name: ProcessName, sent: NodeJS.Signals): number {
  const pid = pidOf(directory, name);
  if (pid === null) throw new Error(`${name} does not run`);
  process.kill(pid, sent);
  return pid;
}

/** `kill -9` of the one process. Throws unless it runs. */
export function killNow(directory: StackDirectory, name: ProcessName): number {
  return signal(directory, name, 'SIGKILL');
}

/** Stops the one process where it is, so that it is away and nothing starts it again. Kill it afterwards. */
export function freezeNow(directory: StackDirectory, name: ProcessName): number {
  return signal(directory, name, 'SIGSTOP');
}

/** Waits until the start has put another process in the place of the killed one. */
export async function untilReplaced(
  directory: StackDirectory,
  name: ProcessName,
  killed: number,
): Promise<void> {
  await until(`${name} is started again`, HANGS_MS, async () => {
    const pid = pidOf(directory, name);
    return pid !== null && pid !== killed;
  });
}
