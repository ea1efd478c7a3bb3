/**
 * Bounds on what one client can take of the listener: connections, unanswered requests on one connection, and bytes of
 * a body that are sent after its answer.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Pause, type BodyIntake } from './body-intake.ts';
import { clientNetwork } from './client-address.ts';

/** Connections of a process; one more is closed. Each costs a file descriptor and some kilobytes. */
const MOST_CONNECTIONS = 8_192;
/** Connections of one network, also of a proxy, so that one address cannot take all connections of the process. */
const MOST_CONNECTIONS_OF_NETWORK = 2_048;
/** Unanswered requests on one connection. Clients rarely send a second one; all requests of one read begin at once. */
export const MOST_PIPELINED = 8;
/** How long the rest of a body is read after its request was answered, in milliseconds. */
const LONGEST_DRAIN_MS = 5_000;
/** How long a connection may be silent on both sides, in milliseconds: longer than any answer takes. */
const LONGEST_SILENCE_MS = 150_000;

/** Closes connections past the bounds as they come. */
export function boundConnections(
  server: Server,
  { most = MOST_CONNECTIONS, ofNetwork = MOST_CONNECTIONS_OF_NETWORK } = {},
): void {
  const open = new Map<string | null, number>();
  server.maxConnections = most;
  server.on('connection', (connection: Socket) => {
    const network = clientNetwork(
      { remoteAddress: connection.remoteAddress, forwardedFor: [] },
      null,
    );
    const count = (open.get(network) ?? 0) + 1;
    if (count > ofNetwork) {
      connection.destroy();
      return;
    }
    open.set(network, count);
    connection.setTimeout(LONGEST_SILENCE_MS, () => connection.destroy());
    connection.once('close', () => {
      const left = (open.get(network) ?? 0) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

/**
 * Makes Node's parser skip the rest of what it has read. Destroying the socket does not stop it: one read of 64 KiB may
 * hold a thousand requests, which cost 25 microseconds each, and many connections are read in one turn of the event loop.
 * A request that ends HTTP on its connection stops the parser: it asks `onIncoming`, and 2 means upgrade.
 */
function stopParsing(socket: Socket & { parser?: { onIncoming?: () => number } }): void {
  const { parser } = socket;
  if (parser?.onIncoming !== undefined) parser.onIncoming = () => 2;
}

/** Counts the unanswered requests of each connection. */
export class OpenAnswers {
  readonly #of = new WeakMap<Socket, number>();

  /**
   * Whether the request may begin. One request too many ends its connection, because no refusal can be sent on it: the
   * client would take a refusal for one of the answers that are due.
   */
  begin({ socket }: IncomingMessage, response: ServerResponse): boolean {
    if (socket.destroyed) return false;
    const count = (this.#of.get(socket) ?? 0) + 1;
    if (count > MOST_PIPELINED) {
      stopParsing(socket);
      socket.destroy();
      return false;
    }
    this.#of.set(socket, count);
    response.once('close', () => this.#of.set(socket, (this.#of.get(socket) ?? 1) - 1));
    return true;
  }
}

/** All dropped bytes share one pace, as if one caller sent them: no request waits for them. */
const EVERYBODY = '';

/** After its answer the rest of a body is read slowly; when it still comes after `drainMs`, the connection is ended. */
export function boundDrain(
  request: IncomingMessage,
  response: ServerResponse,
  dropped: BodyIntake,
  drainMs = LONGEST_DRAIN_MS,
): void {
  // Must run before Node's own listener, which would read the rest as fast as it comes.
  response.prependOnceListener('finish', () => {
    if (request.complete) return;
    const pause = new Pause(request);
    const cut = setTimeout(() => request.socket.destroy(), drainMs);
    request.on('data', (piece: Buffer) => {
      pause.begin(dropped.pauseAfter(EVERYBODY, piece.length));
    });
    request.read(0);
    const stop = (): void => {
      clearTimeout(cut);
      pause.end();
      request.off('end', stop);
      request.socket.off('close', stop);
    };
    request.once('end', stop);
    request.socket.once('close', stop);
  });
}
