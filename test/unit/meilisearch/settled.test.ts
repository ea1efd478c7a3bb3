/** Waiting for a task of Meilisearch, on a server that plays its part. */
import { afterEach, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { createMeilisearchClient, settled } from '../../../stores/meilisearch/client.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A Meilisearch that takes every write and answers each look at its task with the next of `statuses`. */
async function meilisearch(...statuses: readonly string[]) {
  const left = [...statuses];
  const server = createServer((request, response) => {
    if (request.method === 'GET' && left.length === 0) {
      response.destroy();
      return;
    }
    const times = { startedAt: '2026-01-01T10:00:00Z', finishedAt: '2026-01-01T10:00:00.250Z' };
    const isLook = request.method === 'GET';
    const body = isLook ? { uid: 7, status: left.shift(), ...times } : { taskUid: 7 };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return createMeilisearchClient({
    url: `http://127.0.0.1:${port}`,
    masterKey: null,
    timeoutMs: 5_000,
  });
}

const timers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a task is waited for until it has succeeded; the answer is how long Meilisearch worked', async () => {
  const client = await meilisearch('enqueued', 'processing', 'succeeded');
  await expect(settled(client, client.index('i').addDocuments([]))).resolves.toBe(250);
});

test('a task that failed is refused', async () => {
  const client = await meilisearch('failed');
  await expect(settled(client, client.index('i').addDocuments([]))).rejects.toMatchObject({
    index: 'meilisearch',
    reason: 'refused',
  });
});

test('a server that goes away meanwhile leaves no timer that keeps the process from ending', async () => {
  const client = await meilisearch('enqueued');
  const before = timers();
  await expect(settled(client, client.index('i').addDocuments([]))).rejects.toMatchObject({
    index: 'meilisearch',
    reason: 'away',
  });
  expect(timers()).toBeLessThanOrEqual(before);
});
