/** Qdrant closes idle connections sooner than its client gives them up. */
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { IndexFailure } from '../../../domain/retrieval/index-failure.ts';
import { asking, createQdrantClient } from '../../../stores/qdrant/client.ts';

let server: Server;
let asked: number;

/** Closes the connections of the requests that `closes` names by their number, without an answer. */
async function clientOfServer(closes: (request: number) => boolean) {
  asked = 0;
  server = createServer((request, response) => {
    asked += 1;
    if (closes(asked)) request.socket.destroy();
    else response.setHeader('content-type', 'application/json').end('{"result":{"exists":true}}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return createQdrantClient({ url: `http://127.0.0.1:${port}`, apiKey: null, timeoutMs: 60_000 });
}

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('a request whose connection is closed without an answer is sent again', async () => {
  const client = await clientOfServer((request) => request % 2 === 0);
  await expect(client.collectionExists('any')).resolves.toEqual({ exists: true });
  expect(asked).toBe(1);
  await expect(client.collectionWithin('any')).resolves.toEqual({ exists: true });
  expect(asked).toBe(3);
  await expect(client.collectionExists('any')).resolves.toEqual({ exists: true });
  expect(asked).toBe(5);
});

test('a Qdrant that closes every connection is away, and is asked twice', async () => {
  const client = await clientOfServer(() => true);
  const failed: unknown = await asking(() => client.collectionExists('any')).catch(
    (error: unknown) => error,
  );
  expect(failed).toBeInstanceOf(IndexFailure);
  expect(failed).toMatchObject({ index: 'qdrant', reason: 'away' });
  expect(asked).toBe(2);
});
