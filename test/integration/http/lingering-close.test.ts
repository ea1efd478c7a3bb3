/** Answers to requests whose body is still on its way, on connections that close after them. Real: HTTP, sockets. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { ApiState } from '../../../api/context.ts';
import { startServer, type RunningApi } from '../../../api/server.ts';
import { HANGS_MS } from '../../support/patience.ts';

const PART = Buffer.alloc(1024 * 1024, 0x20);
const HEAD = `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${256 * PART.length}\r\n\r\n`;

let server: RunningApi;
beforeAll(async () => {
  const app = new Koa<ApiState>();
  app.use((ctx) => {
    ctx.status = 413;
    ctx.body = { code: 'payload_too_large' };
  });
  server = await startServer(app, { host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close(100));

interface Client {
  readonly answer: () => string;
  readonly problem: () => string | null;
  readonly closed: Promise<void>;
  readonly isClosed: () => boolean;
  write(part: string | Buffer): void;
  end(): void;
}

function open(): Client {
  const socket = connect({ host: '127.0.0.1', port: server.port, allowHalfOpen: true });
  const closed = Promise.withResolvers<void>();
  const seen = { answer: '', problem: null as string | null, closed: false };
  socket.on('data', (chunk: Buffer) => (seen.answer += chunk.toString('utf8')));
  socket.on('error', (error) => (seen.problem = String(Reflect.get(error, 'code'))));
  socket.once('close', () => {
    seen.closed = true;
    closed.resolve();
  });
  return {
    answer: () => seen.answer,
    problem: () => seen.problem,
    closed: closed.promise,
    isClosed: () => seen.closed,
    write: (part) => void socket.write(part),
    end: () => void socket.end(),
  };
}

test('a client that still sends gets the whole answer, and its sending does not fail', async () => {
  const client = open();
  client.write(HEAD);
  for (let parts = 0; parts < 6; parts += 1) {
    client.write(PART);
    await sleep(5);
  }
  client.end();
  await client.closed;
  expect(client.problem()).toBeNull();
  expect(client.answer()).toMatch(/^HTTP\/1\.1 413 /);
  expect(client.answer()).toMatch(/\r\n\r\n\{"code":"payload_too_large"\}$/);
});

test('a client that never ends is cut off, with its answer in hand', async () => {
  const client = open();
  client.write(HEAD);
  const giveUpAt = performance.now() + HANGS_MS;
  while (!client.isClosed() && performance.now() < giveUpAt) {
    client.write('x');
    await sleep(50);
  }
  expect(client.isClosed()).toBe(true);
  expect(client.answer()).toContain('{"code":"payload_too_large"}');
});
