/**
 * Keeps the workers of a process polling. They begin as soon as Temporal serves, and new ones replace them when it
 * returns after an absence: the SDK's pollers ask an absent server less and less often, down to every twelve seconds,
 * and give up for good on a server that came back without the namespace. The former workers stop a little later. A
 * poller that is stopped while a task is on its way to it loses the task until a heartbeat is missed, and right after
 * the return many tasks are on their way.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorFields, type Log } from '../../engine/logging/logger.ts';
import { connectWhenServed } from './native-connection.ts';
import { startWorkers, type StartWorkersOptions } from './worker.ts';

export interface WorkerKeeperOptions extends Omit<StartWorkersOptions, 'connection'> {
  /** host:port */
  readonly address: string;
  /** Makes the namespace and search attributes where the server lacks them: workers cannot start without. */
  prepare(): Promise<void>;
}

/** By then the slowest former poller polls again, and the work that waited for Temporal has begun. */
const RETIRE_AFTER_MS = 20_000;

interface WorkerSet {
  /** Rejects when a worker failed. */
  readonly stopped: Promise<void>;
  close(): Promise<void>;
}

async function startSet(options: WorkerKeeperOptions, signal: AbortSignal): Promise<WorkerSet> {
  const { address, log } = options;
  const connection = await connectWhenServed(address, log, signal);
  try {
    await options.prepare();
    const workers = await startWorkers({ ...options, connection });
    return {
      stopped: workers.stopped,
      async close() {
        // A failure reaches the caller through `stopped`.
        await workers.close().catch(() => undefined);
        await connection.close();
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Begins to start the workers; `installRuntime` must have been called. */
export class WorkerKeeper {
  /** Resolves when the workers poll for the first time; rejects when they cannot. */
  readonly polling: Promise<void>;
  /** Resolves after `close`. Rejects when workers could not start or one failed; then the process should end. */
  readonly stopped: Promise<void>;
  readonly #options: WorkerKeeperOptions;
  readonly #log: Log;
  readonly #closing = new AbortController();
  readonly #end = Promise.withResolvers<void>();
  readonly #retired = new Set<Promise<void>>();
  #current: WorkerSet | null = null;
  #starting: Promise<void> | null;

  constructor(options: WorkerKeeperOptions) {
    this.#options = options;
    this.#log = options.log;
    this.stopped = this.#end.promise;
    this.stopped.catch(() => undefined);
    this.polling = this.#start();
    this.polling.catch((error: unknown) => this.#end.reject(error));
    this.#starting = this.#settled(this.polling);
  }

  /** Replaces the polling workers by new ones. Returns at once and never throws. */
  renew(): void {
    if (this.#starting !== null || this.#closing.signal.aborted) return;
    const renewed = this.#start();
    // The former workers go on. `renew` is called again at Temporal's next return, or while it lacks the namespace.
    renewed.catch((error: unknown) => this.#log.warn('worker.renewal_failed', errorFields(error)));
    this.#starting = this.#settled(renewed);
  }

  /** Stops polling and waits for running work, the grace time at most. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#starting;
    await Promise.all([this.#current?.close(), ...this.#retired]);
    this.#current = null;
    this.#end.resolve();
  }

  async #settled(work: Promise<void>): Promise<void> {
    await work.catch(() => undefined);
    this.#starting = null;
  }

  async #start(): Promise<void> {
    const fresh = await startSet(this.#options, this.#closing.signal);
    const former = this.#current;
    this.#current = fresh;
    this.#retire(former);
    fresh.stopped.catch((error: unknown) => {
      if (this.#current === fresh) this.#end.reject(error);
    });
  }

  #retire(set: WorkerSet | null): void {
    if (set === null) return;
    const { signal } = this.#closing;
    const closed = sleep(RETIRE_AFTER_MS, undefined, { signal })
      .catch(() => undefined)
      .then(() => set.close())
      .catch((error: unknown) => this.#log.warn('worker.renewal_failed', errorFields(error)))
      .finally(() => this.#retired.delete(closed));
    this.#retired.add(closed);
  }
}
