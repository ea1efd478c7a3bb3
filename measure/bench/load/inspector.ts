/** Asks a running Node process through its inspector, which is open for that time only: all processes share one port. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** Where Node listens once it is sent SIGUSR1. */
const INSPECTOR = 'http://127.0.0.1:9229/json/list';
const OPENS_WITHIN_MS = 10_000;

const targets = z.tuple([z.object({ webSocketDebuggerUrl: z.url() })]);
const message = z.object({ id: z.int().optional(), result: z.unknown() });
const evaluatedPid = z.object({ result: z.object({ value: z.int() }) });

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

export type AskInspector = (method: string, params?: object) => Promise<unknown>;

/** Throws when another process has the inspector's port. */
export async function withInspector<T>(
  pid: number,
  work: (ask: AskInspector) => Promise<T>,
): Promise<T> {
  process.kill(pid, 'SIGUSR1');
  const socket = await connect(await inspectorUrl());
  const asking: AskInspector = (method, params) => ask(socket, method, params);
  const answer = await asking('Runtime.evaluate', { expression: 'process.pid' });
  if (evaluatedPid.parse(answer).result.value !== pid) {
    socket.close();
    throw new Error('port 9229 belongs to another process');
  }
  try {
    return await work(asking);
  } finally {
    const close = 'setImmediate(() => process.getBuiltinModule("node:inspector").close())';
    await asking('Runtime.evaluate', { expression: close });
    socket.close();
  }
}
