/** The service's own processes (API, worker) as children beside the servers they use. */
import type { EnvironmentVariables, ServiceName } from '../names.ts';
import type { ServerSpec } from './server-process.ts';
import { termThenKill } from './terminate.ts';

/**
 * Gives the worker a third of the share of another process where they share processors: people and agents wait for requests,
 * and what was accepted may be drained a little later.
 */
const NICENESS_OF_WORKER = 5;

/** MiB of the heap of a process, as in docker-compose.yml. Without a bound a busy process grows before it collects. */
const HEAP_MIB = 768;

/** The environment with a bound for the heap, unless its `NODE_OPTIONS` name one. */
function withBoundedHeap(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const options = env['NODE_OPTIONS'] ?? '';
  if (options.includes('--max-old-space-size')) return env;
  return { ...env, NODE_OPTIONS: `${options} --max-old-space-size=${HEAP_MIB}`.trim() };
}

export interface ServiceProcess {
  readonly name: ServiceName;
  /** What Node is given: the absolute path of the entry point, and its arguments. */
  readonly command: readonly string[];
  /** Its whole environment; `PATH` included. */
  readonly env: EnvironmentVariables;
  isReady(signal: AbortSignal): Promise<boolean>;
}

/**
 * The command of a service process. It runs on the same Node as this process. It gets the data directory as
 * an argument, so that the next start recognises a leftover process by it.
 */
export function serviceServer(
  service: ServiceProcess,
  directory: { readonly path: string; logFile(name: string): string },
): ServerSpec {
  return {
    name: service.name,
    command: process.execPath,
    args: [...service.command, directory.path],
    env: withBoundedHeap(
      Object.fromEntries(
        Object.entries(service.env).filter(
          (entry): entry is [string, string] => entry[1] !== undefined,
        ),
      ),
    ),
    cwd: directory.path,
    dataPath: directory.path,
    logFile: directory.logFile(service.name),
    ...(service.name === 'worker' ? { niceness: NICENESS_OF_WORKER } : {}),
    // A worker finishes its running work, within a deadline of its own of 25 s.
    stopPlan: [{ signal: 'SIGTERM', waitMs: 30_000 }, ...termThenKill.slice(1)],
    isReady: (signal) => service.isReady(signal),
  };
}
