import type { IncomingMessage } from 'node:http';
import { Refusal } from '../domain/errors.ts';

/** The client closed the connection before its body was complete; nobody waits for the answer. */
export class IncompleteBodyError extends Error {
  override readonly name = 'IncompleteBodyError';
}

/**
 * The whole body as bytes. Past `limitBytes` it refuses with `payload_too_large` and reads on without
 * keeping anything: closing the socket instead would lose the answer on its way to the client.
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const keep = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= limitBytes) {
      chunks.push(chunk);
      return;
    }
    chunks.length = 0;
    request.off('data', keep);
    request.resume();
    reject(new Refusal('payload_too_large'));
  };
  request.on('data', keep);
  request.once('end', () => resolve(Buffer.concat(chunks)));
  request.once('error', (cause) => reject(new IncompleteBodyError('', { cause })));
  request.once('close', () => reject(new IncompleteBodyError()));
  return promise;
}
