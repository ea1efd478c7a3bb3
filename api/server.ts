/**
 * The listener. Keep-alive outlasts the idle time of common proxies, so that the proxy closes first; a stop
 * lets running requests finish until a deadline, then cuts them, which aborts their work.
 */
import { createServer, STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type Koa from 'koa';
import type { ApiState } from './context.ts';
import { newTraceId } from './middleware/trace.ts';

const KEEP_ALIVE_MS = 65_000;
const WHOLE_REQUEST_MS = 120_000;
const STOP_DEADLINE_MS = 5_000;

export interface RunningServer {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and waits for running requests, at most `deadlineMs` (5 s). */
  close(deadlineMs?: number): Promise<void>;
}

const STATUS_BY_PARSER_CODE: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ['HPE_HEADER_OVERFLOW', 431],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** Answers what Node could not parse as HTTP; no request object exists then. */
function refuseUnparsable(error: Error, socket: Socket): void {
  // Bytes may belong to an answer that is under way, after which another one would be garbage.
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const status = STATUS_BY_PARSER_CODE.get(Reflect.get(error, 'code')) ?? 400;
  const body = JSON.stringify({
    error: 'The request is not valid HTTP.',
    code: 'malformed_request',
  });
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `x-trace-id: ${newTraceId()}`,
      '',
      body,
    ].join('\r\n'),
  );
}

function listen(server: Server, host: string, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(port, host, () => {
    server.off('error', reject);
    const address = server.address();
    resolve(typeof address === 'object' && address !== null ? address.port : port);
  });
  return promise;
}

async function stop(server: Server, deadlineMs: number): Promise<void> {
  const closed = Promise.withResolvers<void>();
  server.close(() => closed.resolve());
  const cut = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed.promise;
  clearTimeout(cut);
}

/**
 * Listens on `host:port`; port 0 takes a free one. Rejects with Node's own error when the port is taken.
 */
export async function startServer(
  app: Koa<ApiState>,
  options: { readonly host: string; readonly port: number },
): Promise<RunningServer> {
  const handle = app.callback();
  let stopping = false;
  const server = createServer((request, response) => {
    if (stopping) response.setHeader('Connection', 'close');
    response.once('close', () => {
      if (stopping) setImmediate(() => server.closeIdleConnections());
    });
    void handle(request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = WHOLE_REQUEST_MS;
  server.on('clientError', refuseUnparsable);
  const port = await listen(server, options.host, options.port);
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    port,
    close(deadlineMs = STOP_DEADLINE_MS) {
      stopping = true;
      return stop(server, deadlineMs);
    },
  };
}
