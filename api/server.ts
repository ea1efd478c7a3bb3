/**
 * The listener. Keep-alive outlasts the idle time of common proxies, so that the proxy closes first; a stop
 * lets running requests finish until a deadline, then cuts them, which aborts their work.
 */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { boundConnections, boundDrain, OpenAnswers } from './connection-bounds.ts';
import { BodyIntake } from './body-intake.ts';
import type { ApiState } from './context.ts';
import { hidesMalformedChunks, serveWithoutUpgrade } from './ignored-upgrade.ts';
import { lingerAtClose } from './lingering-close.ts';
import {
  prepareTarget,
  refuseTunnel,
  refuseUnparsable,
  statusOfParserError,
} from './unparsable.ts';

const KEEP_ALIVE_MS = 65_000;
const STOP_DEADLINE_MS = 5_000;

/** How long a client may take, in milliseconds; afterwards the server answers 408. */
export interface Patience {
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** From the first byte of a request to the end of its body. */
  readonly wholeRequestMs: number;
  /** How often connections are looked at. */
  readonly checkMs: number;
  /** How long the rest of a body may come after its request was answered; then the connection is closed. */
  readonly drainMs?: number;
}

/** From the first byte of a request to the end of its headers. */
const LONGEST_HEADERS_MS = 10_000;
/** From the first byte to the end of the body. Bodies have further bounds, most of them narrower: `read-body.ts`. */
const LONGEST_REQUEST_MS = 120_000;
const CONNECTION_CHECK_MS = 1_000;
const PATIENCE: Patience = {
  headersMs: LONGEST_HEADERS_MS,
  wholeRequestMs: LONGEST_REQUEST_MS,
  checkMs: CONNECTION_CHECK_MS,
};

export interface RunningApi {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and waits for running requests, at most `deadlineMs` (5 s). */
  close(deadlineMs?: number): Promise<void>;
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

/** The HTTP server in front of `handle`; it refuses everything that is no request for the application. */
function createDoor(handle: RequestListener, patience: Patience): Server {
  /** The last answer of each connection. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  const server = createServer({
    // Node would answer without the error shape; `prepareTarget` checks the header instead.
    requireHostHeader: false,
    headersTimeout: patience.headersMs,
    requestTimeout: patience.wholeRequestMs,
    connectionsCheckingInterval: patience.checkMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    shouldUpgradeCallback: hidesMalformedChunks,
  });
  const open = new OpenAnswers();
  const dropped = new BodyIntake('dropped');
  const take: RequestListener = (request, response) => {
    if (!open.begin(request, response)) return;
    boundDrain(request, response, dropped, patience.drainMs);
    answers.set(request.socket, response);
    if (prepareTarget(request)) handle(request, response);
    else refuseUnparsable(request.socket);
  };
  boundConnections(server);
  server.on('connection', (connection) =>
    lingerAtClose(connection, () => answers.get(connection)?.req.complete ?? true),
  );
  server.on('request', take);
  // A server may ignore an unknown expectation; Node would answer 417 without the error shape.
  server.on('checkExpectation', take);
  server.on('upgrade', (request, connection: Duplex, rest) => {
    void serveWithoutUpgrade(server, request, connection, rest, answers.get(connection));
  });
  server.on('connect', (_request, connection: Duplex) => refuseTunnel(connection));
  server.on('clientError', (error, connection: Duplex) =>
    refuseUnparsable(connection, statusOfParserError(error), answers.get(connection)),
  );
  return server;
}

/**
 * Listens on `host:port`; port 0 takes a free one. Rejects with Node's own error when the port is taken.
 */
export async function startServer(
  app: Koa<ApiState>,
  options: { readonly host: string; readonly port: number; readonly patience?: Patience },
): Promise<RunningApi> {
  const handle = app.callback();
  let stopping = false;
  const server = createDoor((request, response) => {
    if (stopping) response.setHeader('Connection', 'close');
    response.once('close', () => {
      if (stopping) setImmediate(() => server.closeIdleConnections());
    });
    void handle(request, response);
  }, options.patience ?? PATIENCE);
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
