/** Waiting for alerts, and a port for a server of one's own. */
import { createServer, type AddressInfo } from 'node:net';
import { eventually, type Ready } from '../../support/patience.ts';

/** Longer than any alert of the shortened rules takes. */
const LONGEST_MS = 180_000;

export const patiently = <T>(ready: () => Ready<T>): Promise<T> => eventually(ready, LONGEST_MS);

export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
