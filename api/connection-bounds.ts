/**
 * What one client can take of the listener: connections, requests on one of them before it has its answers, and bytes
 * that are sent on after an answer.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Pause, type BodyIntake } from './body-intake.ts';
import { clientNetwork } from './client-address.ts';

/** Connections of a process; one more is closed. Each is a file to the kernel, and some kilobytes. */
export const MOST_CONNECTIONS = 8_192;
/** Of one network, a proxy's too: what one address leaves open keeps nobody else out. */
export const MOST_CONNECTIONS_OF_NETWORK = 2_048;
/** Requests on one connection whose answers are not out. Clients hardly send a second; all of a read begin at once. */
export const MOST_PIPELINED = 8;
/** How long a body is read on after its request was answered, in milliseconds. */
export const LONGEST_DRAIN_MS = 5_000;
/** How long a connection may be silent on both sides, in milliseconds: longer than any answer takes. */
export const LONGEST_SILENCE_MS = 150_000;

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
 * Has Node's parser pass over the rest of what it has read. A destroyed socket does not stop it: one read of 64 KiB may
 * hold a thousand requests, which cost 25 microseconds each, and many connections are read in one turn of the event loop.
 * A request that ends HTTP on its connection does (2 says upgrade), and `onIncoming` is where the parser asks.
 */
function stopParsing(socket: Socket & { parser?: { onIncoming?: () => number } }): void {
  const { parser } = socket;
  if (parser?.onIncoming !== undefined) parser.onIncoming = () => 2;
}

/** The requests of each connection whose answers are not out yet. */
export class OpenAnswers {
  readonly #of = new WeakMap<Socket, number>();

  /**
   * Whether the request may begin. One too many ends its connection: nobody would get to the answers of so many, and
   * there is no way to tell apart from the answers that are due.
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

/** Everything that is dropped is one sender's: nobody waits for it. */
const EVERYBODY = '';

/** Ends a connection on which a body still comes `drainMs` after its request was answered, and reads it slowly until then. */
export function boundDrain(
  request: IncomingMessage,
  response: ServerResponse,
  dropped: BodyIntake,
  drainMs = LONGEST_DRAIN_MS,
): void {
  // Before Node's own listener, which would read the rest as fast as it comes.
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
