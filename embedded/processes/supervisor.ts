/**
 * Keeps servers running: starts each, starts it again with growing pauses when it dies, and stops
 * all of them. Each server is an independent child; none needs another to start or to stop, so all
 * are started and stopped side by side.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildList } from './child-list.ts';
import { causeText, EmbeddedError } from '../errors.ts';
import type { ChildName, Say } from '../names.ts';
import { untilReady } from './readiness.ts';
import { type RunningServer, type ServerSpec, spawnServer } from './server-process.ts';
import { untilEnded } from './silence.ts';
import { terminate } from './terminate.ts';
import type { Watchdog } from './watchdog-link.ts';

export interface ChildStatus {
  readonly name: ChildName;
  /** Undefined between a death and the next start. */
  readonly pid: number | undefined;
  /** How often it was started again since the first start. */
  readonly restarts: number;
}

export interface SupervisedServer {
  status(): ChildStatus;
  /** Ends the server for good. Safe to call twice. */
  stop(): Promise<void>;
}

export interface SupervisorOptions {
  readonly watchdog: Watchdog;
  readonly children: ChildList;
  readonly say: Say;
  /** Pause before the first new start; doubled after each further death. */
  readonly firstPauseMs?: number;
  /** Pause between two questions to a server that is started again when it is silent. */
  readonly askEveryMs?: number;
}

const longestPauseMs = 30_000;
/** A server that ran this long has recovered: the next pause is the first one again. */
const settledMs = 60_000;

/**
 * Starts a server and keeps it running until `stop`.
 * @throws EmbeddedError when its first start fails: a server that never ran is not retried.
 */
export async function superviseServer(
  spec: ServerSpec,
  options: SupervisorOptions,
): Promise<SupervisedServer> {
  const stopping = new AbortController();
  let running: RunningServer | undefined;
  let restarts = 0;

  async function launch(): Promise<RunningServer> {
    const server = await spawnServer(spec);
    options.watchdog.watch(server.identity, spec.stopPlan);
    running = server;
    try {
      options.children.add({ name: spec.name, identity: server.identity, dataPath: spec.dataPath });
      await untilReady(spec, server, { say: options.say, stopped: stopping.signal });
      return server;
    } catch (error) {
      await end(server);
      throw error;
    }
  }

  function forget(server: RunningServer): void {
    options.watchdog.forget(server.identity);
    options.children.remove(server.identity);
    if (running === server) running = undefined;
  }

  async function end(server: RunningServer): Promise<void> {
    server.hold();
    const { pid, startTicks } = server.identity;
    const ended = await terminate(pid, startTicks, spec.stopPlan);
    // A server that does not end stays registered with the watchdog and recorded for the next start.
    if (!ended) throw new EmbeddedError(`${spec.name} (process ${pid}) does not end.`);
    forget(server);
  }

  async function keepRunning(first: RunningServer): Promise<void> {
    let server: RunningServer | undefined = first;
    let launchedAt = performance.now();
    let failures = 0;
    let reason = '';
    while (!stopping.signal.aborted) {
      if (server !== undefined) {
        reason = await untilEnded({ spec, server, end, stopping: stopping.signal }, options);
        forget(server);
        if (stopping.signal.aborted) return;
        if (performance.now() - launchedAt > settledMs) failures = 0;
      }
      const pauseMs = backOff(failures++, options.firstPauseMs);
      options.say(`${spec.name} ended (${reason}). Starting it again in ${seconds(pauseMs)}.`);
      await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(
        () => undefined,
      );
      if (stopping.signal.aborted) return;
      restarts++;
      launchedAt = performance.now();
      server = await launch().catch((error: unknown) => {
        reason = causeText(error);
        return undefined;
      });
      if (server !== undefined)
        options.say(`${spec.name} runs again (process ${server.identity.pid}).`);
    }
  }

  const kept = keepRunning(await launch());

  return {
    status: () => ({ name: spec.name, pid: running?.identity.pid, restarts }),
    async stop() {
      stopping.abort();
      if (running !== undefined) await end(running);
      await kept;
    },
  };
}

/** 0.25 s doubling to 30 s. */
function backOff(failures: number, firstPauseMs = 250): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** failures);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}
