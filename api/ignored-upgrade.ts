/**
 * A request with a chunked body that also asks for another protocol. We speak no other and pass the wish over, as
 * RFC 9110, section 7.8, lets a server do; Java's client sends `Upgrade: h2c` with everything it has to say.
 *
 * Node passes it over too, but its parser then keeps a malformed chunk to itself: no error, no end of the body, and so
 * no answer. It does report the chunk when the wish is not in the head, so the connection is taken out of the parser and
 * given back to the server with a head that no longer holds it.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';

const NOT_REPEATED: ReadonlySet<string> = new Set(['upgrade', 'connection']);

/** Whether Node must hand over the connection: it gets every other wish right by itself. */
export function hidesMalformedChunks({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** The head as it came, without the wish, and with the connection closed after its answer: one detour each is enough. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`, 'Connection: close'];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!NOT_REPEATED.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/**
 * Gives the connection of an `upgrade` event back to `server`, which reads the request again without its wish. `rest`
 * is what was read past the head, `earlier` an answer to a request before it, which goes out first.
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
