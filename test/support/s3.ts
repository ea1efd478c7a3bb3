/** A bucket in memory that takes requests only when they are signed and their body is as the signature says. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';

export interface StubBucket {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  close(): Promise<void>;
}

export async function openStubBucket(accessKeyId: string): Promise<StubBucket> {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const path = request.url ?? '';
      const isSigned = request.headers.authorization?.startsWith(
        `AWS4-HMAC-SHA256 Credential=${accessKeyId}/`,
      );
      const hash = createHash('sha256').update(body).digest('hex');
      const isWhole = request.method !== 'PUT' || request.headers['x-amz-content-sha256'] === hash;
      const found = objects.get(path);
      if (isSigned !== true || !isWhole) response.writeHead(403).end('<Error>key</Error>');
      else if (request.method === 'PUT') {
        objects.set(path, body);
        response.writeHead(200).end();
      } else if (request.method === 'DELETE') {
        objects.delete(path);
        response.writeHead(204).end();
      } else if (found === undefined) response.writeHead(404).end('<Error>NoSuchKey</Error>');
      else response.writeHead(200).end(found);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    objects,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
