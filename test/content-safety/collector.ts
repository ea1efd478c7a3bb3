/** A loopback endpoint that takes whatever a process exports (traces, metrics) and keeps the bytes. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Collector {
  readonly url: string;
  readonly received: readonly Buffer[];
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const received: Buffer[] = [];
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => received.push(chunk));
    request.on('end', () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
