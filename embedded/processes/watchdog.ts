/**
 * A small process of its own that stops the servers when their parent is gone.
 *
 * It holds one end of a pipe to the parent. However the parent ends, `kill -9` included, the kernel
 * closes the other end; the watchdog then stops all registered servers and ends. prctl's parent-death
 * signal is not used: the kernel drops it when a process changes its user (Postgres under root), sends
 * it at the death of a thread rather than of the process, and sends one signal only; it also needs a
 * tool that older systems lack. The watchdog runs in a session of its own, so a Ctrl-C in the terminal
 * does not reach it. It loads no packages, so that it starts fast; messages that the parent writes
 * before it is up wait in the pipe.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type StopPlan, terminate } from './terminate.ts';

/** The messages that the parent writes, one JSON value a line. */
export type WatchdogMessage =
  | {
      readonly kind: 'watch';
      readonly pid: number;
      readonly startTicks: string;
      readonly plan: StopPlan;
    }
  | { readonly kind: 'forget'; readonly pid: number }
  /** A directory of a short-lived stack, removed after its servers have ended. */
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'keep'; readonly path: string };

type Watched = Extract<WatchdogMessage, { kind: 'watch' }>;

async function main(): Promise<void> {
  // A supervisor such as systemd signals every process of the service at once. The watchdog ignores
  // these signals and acts only at the end of the pipe, so that the parent's orderly stop comes first.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => undefined);
  const watched = new Map<number, Watched>();
  const removals = new Set<string>();
  for await (const line of createInterface({ input: process.stdin })) {
    const message = parse(line);
    if (message?.kind === 'watch') watched.set(message.pid, message);
    if (message?.kind === 'forget') watched.delete(message.pid);
    if (message?.kind === 'remove') removals.add(message.path);
    if (message?.kind === 'keep') removals.delete(message.path);
  }
  await Promise.allSettled(
    [...watched.values()].map((child) => terminate(child.pid, child.startTicks, child.plan)),
  );
  for (const path of removals) rmSync(path, { recursive: true, force: true });
}

/** The parent may die in the middle of a line; an incomplete line is ignored. */
function parse(line: string): WatchdogMessage | undefined {
  try {
    const value: WatchdogMessage = JSON.parse(line);
    return value;
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
