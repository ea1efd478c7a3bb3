/**
 * A few threads for work that would hold the event loop. A task that takes longer than its bound ends its thread, and
 * with it nothing else. Short and long texts have threads of their own, so that a short text does not wait behind a
 * long one. A thread starts when it is needed, ends when it has been idle, and keeps no process alive.
 *
 * Memory is bounded by what a task may be given and make (`engine/analysis/message.ts`). The bound of a thread's heap
 * is the last resort: a JavaScript engine with a full heap may end the whole process, so work that is retried must be
 * counted as an attempt before it begins.
 */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Behalf } from '../behalf.ts';
import { createDemand, type Demand } from '../demand.ts';
import { createSemaphore } from '../semaphore.ts';
import { OffloadFailure } from '../offload-failure.ts';
import type { TaskName, Tasks } from './tasks.ts';
import type { ThreadQuestion } from './thread.ts';

const THREAD = fileURLToPath(new URL('./thread.ts', import.meta.url));

/** A task with more text than this is a long one. */
const SHORT_TASK_CHARS = 262_144;
/** The time limit of a task: twenty times what a text takes on a quiet machine, and the start of a thread. */
const TASK_MS = 10_000;
const TASK_MS_PER_MIB = 20_000;
/** A mebibyte of text takes up to 150 MiB. */
const THREAD_HEAP_MIB = 384;
const IDLE_THREAD_MS = 120_000;

export interface Threads {
  /**
   * Runs a task on `items` that hold `chars` UTF-16 code units of text.
   * @throws OffloadFailure; the signal's reason once it is aborted.
   */
  run<Name extends TaskName>(
    name: Name,
    items: Parameters<Tasks[Name]>[0],
    chars: number,
    behalf: Behalf,
  ): ReturnType<Tasks[Name]>;
  /** Ends all threads, at work or not. */
  close(): Promise<void>;
}

export interface ThreadSettings {
  /** For short texts and for long ones each; one less than the processors unless given, and at least one. */
  readonly threads?: number;
  /** Milliseconds for a task, whatever the length of its text. */
  readonly taskMs?: number;
  /** Told which accounts ask for threads. */
  readonly demand?: Demand;
  /** The module that threads run, for tests. */
  readonly filename?: string;
}

type Pool = ReturnType<typeof openPool>;

function openPool(threads: number, filename: string, demand: Demand) {
  const piscina = new Piscina({
    filename,
    name: 'run',
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_THREAD_MS,
    atomics: 'disabled',
    // A thread needs none of the process's variables.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MIB },
  });
  // A thread that ends while it has no task is replaced when one is needed.
  piscina.on('error', () => undefined);
  // A task's time begins when a thread is free for it.
  const free = createSemaphore(threads, {}, demand);
  let closed = false;
  return {
    run: (question: ThreadQuestion, ms: number, { accountId, signal }: Behalf) => {
      const task = async () => {
        const over = AbortSignal.timeout(ms);
        try {
          return await piscina.run(question, { signal: AbortSignal.any([signal, over]) });
        } catch {
          signal.throwIfAborted();
          if (closed) throw new Error('the threads of the process have ended');
          throw new OffloadFailure(over.aborted ? 'timeout' : 'failed');
        }
      };
      return free.run(signal, task, accountId);
    },
    async close() {
      closed = true;
      await piscina.destroy();
    },
  };
}

/** The threads of a process; none is started yet. */
export function createThreads(settings: ThreadSettings = {}): Threads {
  const threads = settings.threads ?? Math.max(1, availableParallelism() - 1);
  const demand = settings.demand ?? createDemand();
  const open = (): Pool => openPool(threads, settings.filename ?? THREAD, demand);
  let [short, long]: (Pool | undefined)[] = [];
  return {
    run: ((name: TaskName, items: never[], chars: number, behalf: Behalf) => {
      const pool = chars <= SHORT_TASK_CHARS ? (short ??= open()) : (long ??= open());
      const ms = settings.taskMs ?? TASK_MS + (TASK_MS_PER_MIB * chars) / 1_048_576;
      return pool.run({ name, items }, Math.ceil(ms), behalf);
    }) as Threads['run'],
    async close() {
      await Promise.all([short?.close(), long?.close()]);
    },
  };
}
