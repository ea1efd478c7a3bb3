/**
 * A server that stands before another one, passes requests on, and fails in the ways that servers and networks do. It
 * counts the requests that a client holds open.
 */
import { once } from 'node:events';
import {
  createServer,
  request as send,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * `refuses`: nobody listens; `hangs`: never answers; `fails`: answers 500; `answers`: answers 200 with this body, or with what it makes of the
 * body that was asked with;
 * `cuts`: closes the connection in the middle of the answer; `slow`: answers after so many milliseconds.
 */
export type Fault =
  | { readonly kind: 'passes' | 'refuses' | 'hangs' | 'fails' | 'cuts' }
  | { readonly kind: 'answers'; readonly body: string | ((asked: string) => string) }
  | { readonly kind: 'slow'; readonly ms: number };

export interface FaultProxy {
  readonly url: string;
  become(fault: Fault): Promise<void>;
  /** Requests that are held open now. */
  open(): number;
  /** Requests since the last `become`. */
  received(): number;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/** What the server behind answers. Without its keep-alive, so that closing the proxy leaves no connection. */
async function askBehind(target: URL, asked: IncomingMessage, body: Buffer): Promise<Answer> {
  const { host: _host, connection: _connection, ...headers } = asked.headers;
  const sent = send(new URL(asked.url ?? '/', target), {
    method: asked.method,
    headers: { ...headers, connection: 'close' },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: answer.statusCode ?? 502,
    type: answer.headers['content-type'] ?? 'application/json',
    body: await buffer(answer),
  };
}

/** A connection serves one request: the next fault must not meet a request on a connection that it has closed. */
const headersOf = ({ type, body }: Answer) => ({
  'content-type': type,
  'content-length': body.length,
  connection: 'close',
});

function say(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, headersOf(answer));
  response.end(answer.body);
}

function cut(response: ServerResponse, answer: Answer): void {
  const { body } = answer;
  response.writeHead(answer.status, headersOf(answer));
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy());
}

const json = (status: number, text: string): Answer => ({
  status,
  type: 'application/json',
  body: Buffer.from(text),
});

async function answered(
  fault: Fault,
  target: URL,
  asked: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await buffer(asked);
  switch (fault.kind) {
    case 'hangs':
    case 'refuses':
      return;
    case 'fails':
      return say(response, json(500, '{"status":{"error":"SECRET-SERVER-TEXT"}}'));
    case 'answers':
      return say(
        response,
        json(200, typeof fault.body === 'string' ? fault.body : fault.body(body.toString())),
      );
    case 'cuts':
      return cut(response, await askBehind(target, asked, body));
    case 'slow':
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      return say(response, await askBehind(target, asked, body));
    case 'passes':
      return say(response, await askBehind(target, asked, body));
  }
}

async function listening(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts a proxy of the server at `target`, on a free port of its own. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const behind = new URL(target);
  const sockets = new Set<Socket>();
  let fault: Fault = { kind: 'passes' };
  let open = 0;
  let received = 0;
  const listener: RequestListener = (asked, response) => {
    open += 1;
    received += 1;
    response.once('close', () => (open -= 1));
    answered(fault, behind, asked, response).catch(() => response.destroy());
  };
  const server = createServer(listener);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await listening(server, 0);
  const silence = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const { pathname } = behind;
  return {
    url: `http://127.0.0.1:${port}${pathname === '/' ? '' : pathname}`,
    async become(next) {
      fault = next;
      received = 0;
      // Connections that are kept alive would not notice that nobody listens any more.
      await silence();
      if (next.kind !== 'refuses') await listening(server, port);
    },
    open: () => open,
    received: () => received,
    close: silence,
  };
}
