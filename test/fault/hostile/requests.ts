/** Requests of an attacker: bytes as they are, many at a time, or drop by drop. */
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface Sent {
  readonly status: number;
  readonly text: string;
  /** Where the next page of a list begins; absent on the last one. */
  readonly nextCursor?: string;
}

const ANSWER_WITHIN_MS = 120_000;
const agent = new Agent({ keepAlive: true, maxSockets: 600 });

/** One request; status 0 when there was no answer. `credential: false` sends none. */
export function send(
  { baseUrl, apiKey }: Target,
  path: string,
  options: {
    readonly body?: string | Buffer;
    /** POST with a body and GET without one unless given. */
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly credential?: boolean;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Sent> {
  const { promise, resolve } = Promise.withResolvers<Sent>();
  const body = options.body === undefined ? null : Buffer.from(options.body);
  const none = (): void => resolve({ status: 0, text: '' });
  const asked = request(
    `${baseUrl}${path}`,
    {
      agent,
      method: options.method ?? (body === null ? 'GET' : 'POST'),
      timeout: ANSWER_WITHIN_MS,
      ...(options.signal && { signal: options.signal }),
      headers: {
        ...(options.credential === false ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
        ...options.headers,
      },
    },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', none);
      response.once('end', () => {
        const nextCursor = response.headers['x-next-cursor'];
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          ...(typeof nextCursor === 'string' ? { nextCursor } : {}),
        });
      });
    },
  );
  asked.once('timeout', () => asked.destroy());
  asked.once('error', none);
  asked.end(body ?? undefined);
  return promise;
}

/** Runs `work` for every number below `count`, `lanes` at a time, each lane with a pause in between. */
export async function eachOf(
  count: number,
  lanes: number,
  pauseMs: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      await work(next++);
      if (next < count && pauseMs > 0) await sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, lane));
}

/** Repeats `work`, `lanes` at a time, each lane with a pause in between, until the time is over. */
export async function keepUp(
  forMs: number,
  lanes: number,
  pauseMs: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  const until = performance.now() + forMs;
  let next = 0;
  const lane = async (): Promise<void> => {
    do {
      await work(next++);
      if (pauseMs > 0) await sleep(pauseMs);
    } while (performance.now() < until);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** The beginning of a request up to its body. */
export function headOf(method: string, path: string, headers: readonly string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'host: vouch', ...headers, '', ''].join('\r\n');
}

function openSocket(baseUrl: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname, () => {
    socket.off('error', reject);
    // What the service closes on it is its right.
    socket.on('error', () => undefined);
    socket.resume();
    resolve(socket);
  });
  socket.once('error', reject);
  return promise;
}

/**
 * Holds `count` connections open for `forMs` and sends on each the beginning of a request, then one byte of `drops`
 * every 200 ms.
 */
export async function drip(
  { baseUrl }: Target,
  options: {
    readonly count: number;
    readonly forMs: number;
    readonly beginning: string;
    readonly drops: string;
  },
): Promise<void> {
  const sockets = await Promise.all(
    Array.from({ length: options.count }, () => openSocket(baseUrl)),
  );
  for (const socket of sockets) socket.write(options.beginning);
  const until = performance.now() + options.forMs;
  for (let at = 0; performance.now() < until; at += 1) {
    await sleep(200);
    const drop = options.drops.charAt(at % options.drops.length);
    for (const socket of sockets) if (socket.writable) socket.write(drop);
  }
  for (const socket of sockets) socket.destroy();
}
