/**
 * The Meilisearch client, its tasks and its failures. A write only queues a task. Only the task tells whether
 * the write worked, so `settled` waits for the task and reads it.
 *
 * `Accept-Encoding: identity`: compressed answers meet delayed acknowledgements and stall some 40 ms.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Meilisearch,
  MeilisearchApiError,
  MeilisearchRequestTimeOutError,
  type EnqueuedTaskPromise,
  type Task,
} from 'meilisearch';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';

export interface MeilisearchSettings {
  readonly url: string;
  readonly masterKey: string | null;
  /** Longest wait for one request, in milliseconds. */
  readonly timeoutMs: number;
}

/** Builds a client; nothing is sent. */
export function createMeilisearchClient(settings: MeilisearchSettings): Meilisearch {
  return new Meilisearch({
    host: settings.url,
    ...(settings.masterKey === null ? {} : { apiKey: settings.masterKey }),
    timeout: settings.timeoutMs,
    requestInit: { headers: { 'Accept-Encoding': 'identity' } },
  });
}

/** How the signal of a request says that its time is over, or that nobody waits for it. */
const TIME_IS_OVER: ReadonlySet<string> = new Set(['TimeoutError', 'AbortError']);

function failureOf(error: unknown): IndexFailure {
  if (error instanceof IndexFailure) return error;
  if (error instanceof MeilisearchApiError) {
    return new IndexFailure('meilisearch', 'refused', error.cause?.code ?? null);
  }
  // Read by its shape: an error of another realm, such as that of an aborted signal, is no `Error` of this one.
  const cause: unknown = Reflect.get(Object(error), 'cause');
  const timedOut = [error, cause].some(
    (thrown) =>
      thrown instanceof MeilisearchRequestTimeOutError ||
      TIME_IS_OVER.has(String(Reflect.get(Object(thrown), 'name'))),
  );
  return new IndexFailure('meilisearch', timedOut ? 'timeout' : 'away');
}

/** The signal of a request. The client does not apply its own time limit to a request that has a signal. */
export function requestSignal(client: Meilisearch, signal: AbortSignal | undefined): AbortSignal {
  const { timeout } = client.config;
  return AbortSignal.any([
    ...(timeout === undefined ? [] : [AbortSignal.timeout(timeout)]),
    ...(signal === undefined ? [] : [signal]),
  ]);
}

/** Runs one call; whatever it throws leaves as an `IndexFailure` without the text of Meilisearch. */
export async function asking<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw failureOf(error);
  }
}

const TASK_WITHIN_MS = 60_000;
/** The first look at a task comes soon, the next ones later, so that many waiting callers do not busy Meilisearch. */
const FIRST_LOOK_MS = 15;
const LONGEST_LOOK_MS = 400;

/** Replaces the client's own wait, which leaves a timer running when a look fails and so keeps the process alive. */
async function waitedFor(client: Meilisearch, enqueued: EnqueuedTaskPromise): Promise<Task> {
  const { taskUid } = await enqueued;
  const giveUpAt = performance.now() + TASK_WITHIN_MS;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(LONGEST_LOOK_MS, pause * 1.6)) {
    const task = await client.tasks.getTask(taskUid);
    if (task.status !== 'enqueued' && task.status !== 'processing') return task;
    if (performance.now() > giveUpAt) throw new IndexFailure('meilisearch', 'timeout');
    await sleep(pause);
  }
}

/**
 * Waits until the task is done and answers how long Meilisearch worked on its batch, in milliseconds. Throws an
 * `IndexFailure` with the task's error code unless it succeeded.
 */
export async function settled(client: Meilisearch, task: EnqueuedTaskPromise): Promise<number> {
  const done = await asking(() => waitedFor(client, task));
  if (done.status === 'succeeded') {
    const { finishedAt, startedAt } = done;
    return finishedAt === null || startedAt === null
      ? 0
      : Date.parse(finishedAt) - Date.parse(startedAt);
  }
  throw new IndexFailure('meilisearch', 'refused', done.error?.code ?? done.status);
}
