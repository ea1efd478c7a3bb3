/** How the reads of searches reach Qdrant, and how they end. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { asking, createQdrantClient } from '../../../stores/qdrant/client.ts';

let server: Server;

async function clientOf(answer: RequestListener, timeoutMs = 60_000) {
  server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return createQdrantClient({ url: `http://127.0.0.1:${port}/any`, apiKey: 'secret', timeoutMs });
}

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('a read sends its body whole, with the key, and answers the result', async () => {
  const echo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, method, url } = request;
    const said = [headers['api-key'], headers['accept-encoding'], headers['content-length']];
    const body: unknown = JSON.parse(await text(request));
    response.end(JSON.stringify({ result: { method, url, said, body } }));
  };
  const client = await clientOf((request, response) => void echo(request, response));
  const asked = { limit: 3, filter: { must: [{ key: 'word', match: { value: 'Grüße' } }] } };
  expect(await client.scrollWithin('a b', asked)).toEqual({
    method: 'POST',
    url: '/collections/a%20b/points/scroll',
    said: ['secret', 'identity', String(Buffer.byteLength(JSON.stringify(asked)))],
    body: asked,
  });
});

test('reads one after the other share a connection', async () => {
  const ports = new Set<number | undefined>();
  const client = await clientOf((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('{"result":{}}');
  });
  for (let i = 0; i < 3; i += 1) await client.collectionWithin('any');
  expect(ports.size).toBe(1);
});

test.each([
  [400, {}, '{"status":{"error":"of a filter"}}', { reason: 'refused', code: '400' }],
  [503, {}, 'no json', { reason: 'refused', code: '503' }],
  [429, {}, '{}', { reason: 'refused', code: '429' }],
  [429, { 'retry-after': '7' }, '{}', { reason: 'away', code: null }],
  [202, {}, '{"result":{}}', { reason: 'away', code: null }],
  [200, {}, 'no json', { reason: 'away', code: null }],
])('an answer %i %p %p is a failure of the index', async (status, headers, body, expected) => {
  const client = await clientOf((_, response) => response.writeHead(status, headers).end(body));
  await expect(asking(() => client.collectionWithin('any'))).rejects.toMatchObject(expected);
});

test.each([
  ['before it answers', () => undefined],
  ['in the middle of its answer', (response: ServerResponse) => response.write('{')],
])('a Qdrant that stops %s is out of time', async (_, begin) => {
  const client = await clientOf((__, response) => void begin(response), 50);
  await expect(asking(() => client.collectionWithin('any'))).rejects.toMatchObject({
    reason: 'timeout',
  });
});

test('a read ends with its caller, for the reason of the caller, and is not repeated', async () => {
  const left = new AbortController();
  const reason = new Error('left');
  let asked = 0;
  const client = await clientOf((_, response) => {
    asked += 1;
    response.write('{');
    left.abort(reason);
  });
  await expect(client.collectionWithin('any', left.signal)).rejects.toBe(reason);
  await expect(client.collectionWithin('any', left.signal)).rejects.toBe(reason);
  expect(asked).toBe(1);
});

test('an address where nobody listens is away', async () => {
  const client = await clientOf(() => undefined);
  await new Promise((closed) => server.close(closed));
  await expect(asking(() => client.collectionWithin('any'))).rejects.toMatchObject({
    reason: 'away',
  });
});
