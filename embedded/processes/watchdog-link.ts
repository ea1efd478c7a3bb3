/** The parent's end of the pipe to the watchdog; watchdog.ts says why there is a watchdog. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Say } from '../names.ts';
import type { ProcessIdentity } from './process-identity.ts';
import type { StopPlan } from './terminate.ts';
import type { WatchdogMessage } from './watchdog.ts';

export type Watchdog = ReturnType<typeof startWatchdog>;

type Process = ChildProcessByStdio<Writable, null, null>;

const script = fileURLToPath(new URL('watchdog.ts', import.meta.url));
const restartLimit = 5;

/** Starts the watchdog. When it dies early, a new one is started and given the same servers and directories. */
export function startWatchdog(say: Say) {
  const watched = new Map<number, WatchdogMessage>();
  const removals = new Map<string, WatchdogMessage>();
  let closed = false;
  let restarts = 0;
  let current = launch();

  function launch(): Process {
    const child = spawn(process.execPath, [script], {
      cwd: '/',
      detached: true,
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // The watchdog must not keep the parent running: it waits for the parent's end.
    child.unref();
    if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
    // A broken pipe means that the watchdog died; its exit is handled below.
    child.stdin.on('error', () => undefined);
    child.on('error', () => undefined);
    child.once('exit', () => replace());
    for (const message of [...watched.values(), ...removals.values()]) send(child, message);
    return child;
  }

  function replace(): void {
    if (closed) return;
    if (restarts++ < restartLimit) {
      current = launch();
      return;
    }
    say(
      'The watchdog ends again and again. Without it, the servers would outlive a kill -9 of this process until the next start.',
    );
  }

  return {
    /** Stop this process by this plan, should the parent die. */
    watch(child: ProcessIdentity, plan: StopPlan): void {
      const { pid, startTicks } = child;
      const message = { kind: 'watch', pid, startTicks, plan } as const;
      watched.set(pid, message);
      send(current, message);
    },
    /** The process has ended; another process may have its pid now. */
    forget(child: ProcessIdentity): void {
      watched.delete(child.pid);
      send(current, { kind: 'forget', pid: child.pid });
    },
    /** Remove this directory after the servers, should the parent die. */
    removeAfterwards(path: string): void {
      const message = { kind: 'remove', path } as const;
      removals.set(path, message);
      send(current, message);
    },
    /** Ends the watchdog. It stops servers that are still registered and leaves the directories to the parent. */
    close(): void {
      closed = true;
      for (const path of removals.keys()) send(current, { kind: 'keep', path });
      current.stdin.end();
    },
  };
}

function send(child: Process, message: WatchdogMessage): void {
  child.stdin.write(`${JSON.stringify(message)}\n`);
}
