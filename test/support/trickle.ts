/** A request whose body comes in small pieces for as long as nobody answers it. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Trickle {
  readonly path: string;
  readonly token: string;
  /** Bytes of the whole body, of each piece, and milliseconds between the pieces. */
  readonly bytes: number;
  readonly pieceBytes: number;
  readonly everyMs: number;
}

export interface Trickled {
  readonly status: number | undefined;
  readonly text: string;
  /** Bytes of the body that had been sent when the answer came. */
  readonly sentBytes: number;
  readonly answeredAt: number;
}

/** The answer to a body of spaces, sent to the service at `base`. Sends no more once the answer has begun. */
export async function trickle(base: string, { path, token, ...body }: Trickle): Promise<Trickled> {
  const request = httpRequest(new URL(path, base), {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': String(body.bytes),
    },
  });
  // Once it has answered the service may close the connection under a piece.
  request.on('error', () => undefined);
  const stopping = new AbortController();
  const answered = once(request, 'response').then((response) => {
    stopping.abort();
    const [message] = response as [IncomingMessage];
    return { message, answeredAt: performance.now() };
  });
  let sentBytes = 0;
  while (!stopping.signal.aborted && sentBytes < body.bytes) {
    const size = Math.min(body.pieceBytes, body.bytes - sentBytes);
    request.write(Buffer.alloc(size, ' '));
    sentBytes += size;
    await sleep(body.everyMs);
  }
  const { message, answeredAt } = await answered;
  const text = await textOf(message);
  request.destroy();
  return { status: message.statusCode, text, sentBytes, answeredAt };
}
