/**
 * The end of a connection whose client still sends. Closing it while bytes are on their way makes the kernel reset
 * it, and a reset throws away the answer that the client has not read yet.
 */
import type { Socket } from 'node:net';

/** How long bytes that nobody needs are still read, in milliseconds. */
export const LINGER_MS = 1_000;

/**
 * After the last answer the connection is ended, and what still comes is read and dropped until the client has
 * ended too, at most `LINGER_MS`. Where `isRead` says that nothing is on its way it is closed at once, as usual.
 */
export function lingerAtClose(connection: Socket, isRead: () => boolean): void {
  const close = connection.destroySoon.bind(connection);
  // Node's HTTP server calls this once the last answer is written, and drops by itself what its parser reads on.
  connection.destroySoon = () => {
    if (isRead()) {
      close();
      return;
    }
    const cut = setTimeout(() => connection.destroy(), LINGER_MS);
    connection.once('close', () => clearTimeout(cut));
    connection.end();
  };
}
