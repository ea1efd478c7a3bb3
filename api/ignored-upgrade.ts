/**
 * Handles a request with a chunked body that also asks for another protocol (`Upgrade`). The server speaks only HTTP/1
 * and ignores the header, as RFC 9110, section 7.8, allows; Java's client sends `Upgrade: h2c` with every request.
 *
 * Node ignores the header too, but its parser then does not report a malformed chunk: there is no error, no end of the
 * body, and so no answer. Without the header the parser does report it. So the connection is taken out of the parser
 * and given back to the server with a head that lacks the header.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';

const NOT_REPEATED: ReadonlySet<string> = new Set(['upgrade', 'connection']);

/** Whether Node must hand over the connection: Node handles an `Upgrade` without a chunked body correctly. */
export function hidesMalformedChunks({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** The head as it came, without `Upgrade`; `Connection: close` so that each connection takes this detour only once. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`, 'Connection: close'];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!NOT_REPEATED.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/**
 * Gives the connection of an `upgrade` event back to `server`, which reads the request again without `Upgrade`. `rest`
 * holds the bytes that were read past the head. `earlier` is the answer to the request before it and is sent first.
 */
export async function serveWithoutUpgrade(
  server: Server,
  request: IncomingMessage,
  connection: Duplex,
  rest: Buffer,
  earlier: ServerResponse | undefined,
): Promise<void> {
  const cut = (): unknown => connection.destroy();
  connection.on('error', cut);
  if (earlier !== undefined) await finished(earlier).catch(cut);
  connection.off('error', cut);
  if (!connection.writable) return;
  connection.unshift(Buffer.concat([headWithoutUpgrade(request), rest]));
  server.emit('connection', connection);
}
