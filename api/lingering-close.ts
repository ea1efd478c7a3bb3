/**
 * Ends a connection while its client still sends. Closing it while bytes are on their way makes the kernel reset
 * it, and a reset throws away the answer that the client has not read yet.
 */
import type { Socket } from 'node:net';

/** How long the remaining bytes are read and dropped, in milliseconds. */
export const LINGER_MS = 1_000;

/**
 * After the last answer the connection is ended. Bytes that still come are read and dropped until the client ends
 * too, for at most `LINGER_MS`. When `isRead` says that nothing is on its way, the connection is closed at once.
 */
export function lingerAtClose(connection: Socket, isRead: () => boolean): void {
  const close = connection.destroySoon.bind(connection);
  // Node's HTTP server calls this once the last answer is written; its parser goes on reading and drops the bytes.
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
