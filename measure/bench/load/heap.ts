/** Reads the memory that a running Node process needs, through its inspector: most of its memory may be garbage. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** Where Node listens once it is sent SIGUSR1. */
const INSPECTOR = 'http://127.0.0.1:9229/json/list';
const OPENS_WITHIN_MS = 10_000;

const targets = z.tuple([z.object({ webSocketDebuggerUrl: z.url() })]);
const message = z.object({ id: z.int().optional(), result: z.unknown() });
const evaluated = z.object({ result: z.object({ value: z.string() }) });
const usage = z.object({ pid: z.int(), heapUsed: z.number(), external: z.number() });

/** In MiB, right after a collection. */
export interface HeapReading {
  /** Objects of the main thread. */
  readonly heapUsed: number;
  /** Memory outside the heap that these objects hold, mostly buffers. */
  readonly external: number;
}

async function inspectorUrl(): Promise<string> {
  const giveUpAt = performance.now() + OPENS_WITHIN_MS;
  for (;;) {
    try {
      const [target] = targets.parse(await (await fetch(INSPECTOR)).json());
      return target.webSocketDebuggerUrl;
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await sleep(100);
    }
  }
}

function ask(socket: WebSocket, method: string, params: object = {}): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const read = (event: MessageEvent): void => {
    const { id, result } = message.parse(JSON.parse(String(event.data)));
    if (id !== undefined) resolve(result);
  };
  const fail = (): void => reject(new Error('the inspector is gone'));
  const whileAsked = new AbortController();
  socket.addEventListener('message', read, { signal: whileAsked.signal });
  socket.addEventListener('close', fail, { signal: whileAsked.signal });
  socket.send(JSON.stringify({ id: 1, method, params }));
  return promise.finally(() => whileAsked.abort());
}

async function connect(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.addEventListener('open', () => resolve(), { once: true });
  socket.addEventListener('error', () => reject(new Error('no inspector answers')), { once: true });
  await promise;
  return socket;
}

/** Collects the garbage of the process, then reads its memory. Throws when another process has the inspector's port. */
export async function collectedHeap(pid: number): Promise<HeapReading> {
  process.kill(pid, 'SIGUSR1');
  const socket = await connect(await inspectorUrl());
  try {
    await ask(socket, 'HeapProfiler.collectGarbage');
    const expression = 'JSON.stringify({ pid: process.pid, ...process.memoryUsage() })';
    const answer = evaluated.parse(await ask(socket, 'Runtime.evaluate', { expression }));
    const read = usage.parse(JSON.parse(answer.result.value));
    if (read.pid !== pid) throw new Error('port 9229 belongs to another process');
    return { heapUsed: read.heapUsed / 1_048_576, external: read.external / 1_048_576 };
  } finally {
    socket.close();
  }
}
