/** Clients that send little at a time, or more than the service reads. Real: HTTP, sockets. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import {
  FREE_BODY_BYTES,
  MOST_BODY_BYTES_PER_SECOND,
  MOST_DROPPED_BYTES_PER_SECOND,
} from '../../../api/body-intake.ts';
import { boundConnections, MOST_PIPELINED } from '../../../api/connection-bounds.ts';
import type { ApiState } from '../../../api/context.ts';
import type { BodyPace } from '../../../api/read-body.ts';
import { startServer } from '../../../api/server.ts';
import { GOOD_TOKEN, openDoor, type FakeDoor } from '../../support/fake-door.ts';
import { eventually } from '../../support/patience.ts';

/** So late, or so much, that a test which gets there hangs or fails. */
const NEVER_MS = 3_600_000;
const BETWEEN_BYTES_MS = 20;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function doorAt(pace: Partial<BodyPace>): Promise<FakeDoor & { readonly ran: () => number }> {
  let ran = 0;
  const whole = { windowMs: 500, bytesPerWindow: 1_000, wholeMs: NEVER_MS, ...pace };
  const door = await openDoor({
    config: { bodyPaces: { usual: whole, large: whole } },
    run: async (name) => {
      if (name !== 'readHealth') ran += 1;
      return {};
    },
  });
  closing.push(() => door.close());
  return { ...door, ran: () => ran };
}

interface Talk {
  readonly socket: Socket;
  readonly heard: () => string;
  readonly closed: Promise<unknown>;
}

function talk(port: number): Talk {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => (heard += text));
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  closing.push(async () => socket.destroy());
  return { socket, heard: () => heard, closed };
}

const head = (path: string, length: string, token = GOOD_TOKEN): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;

/** Sends `piece` again and again until the connection is closed. */
function drip({ socket, closed }: Talk, piece: string): void {
  const timer = setInterval(() => socket.write(piece), BETWEEN_BYTES_MS);
  void closed.then(() => clearInterval(timer));
}

/** Sends so many spaces as fast as they are taken, and answers how many were taken in `ms`. */
async function takenOf({ socket }: Talk, bytes: number, ms: number): Promise<number> {
  const piece = ' '.repeat(65_536);
  let taken = 0;
  for (let sent = 0; sent < bytes; sent += piece.length) {
    socket.write(piece, () => (taken += piece.length));
  }
  await pause(ms);
  return taken;
}

const MIB = 1_048_576;

describe('a body that arrives faster than the service reads it', () => {
  /** What kernel and streams hold besides. */
  const UNREAD_BYTES = 12 * MIB;
  const SENT_BYTES = 40 * MIB;

  test.each([
    ['is taken in', '/api/v1/documents', FREE_BODY_BYTES + MOST_BODY_BYTES_PER_SECOND],
    ['is dropped', '/api/auth/password', MOST_DROPPED_BYTES_PER_SECOND],
  ])('%s at a bounded pace, at %s', async (_how, path, most) => {
    const door = await doorAt({ bytesPerWindow: 1 });
    const client = talk(door.port);
    client.socket.write(head(path, `Content-Length: ${SENT_BYTES}`));
    await pause(100);
    const taken = await takenOf(client, SENT_BYTES, 1_000);
    expect(taken).toBeGreaterThan(MIB);
    expect(taken).toBeLessThan(most + UNREAD_BYTES);
  });
});

describe('a body that arrives slowly', () => {
  test.each([
    ['/api/v1/search', 'Content-Length: 100000'],
    ['/api/v1/search', 'Transfer-Encoding: chunked'],
    ['/api/v1/documents', 'Content-Length: 30000000'],
    ['/api/auth/password', 'Content-Length: 8000'],
  ])('is answered 408 at %s with %s, and its connection closed', async (path, length) => {
    const door = await doorAt({});
    const client = talk(door.port);
    client.socket.write(head(path, length));
    drip(client, length.startsWith('Transfer') ? '1\r\n \r\n' : ' ');
    await client.closed;
    expect(client.heard()).toMatch(/^HTTP\/1\.1 408 [^]*\r\nConnection: close\r\n/);
    expect(client.heard()).toContain('"code":"request_timeout"');
    expect(door.ran()).toBe(0);
    expect(door.logged).toEqual([]);
  });

  test('is judged by the bytes of the last window, not by those before', async () => {
    const door = await doorAt({});
    const client = talk(door.port);
    client.socket.write(head('/api/v1/search', 'Content-Length: 1000000') + ' '.repeat(900_000));
    await client.closed;
    expect(client.heard()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('is answered 408 after a total time, however steadily it arrives', async () => {
    const door = await doorAt({ windowMs: 100, bytesPerWindow: 1, wholeMs: 1_000 });
    const client = talk(door.port);
    client.socket.write(head('/api/v1/search', 'Content-Length: 1000000'));
    drip(client, ' '.repeat(50));
    await client.closed;
    expect(client.heard()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('is accepted while it keeps the least pace', async () => {
    const door = await doorAt({ bytesPerWindow: 1 });
    const client = talk(door.port);
    client.socket.write(head('/api/v1/search', 'Content-Length: 12'));
    for (const byte of '{"query":""}') {
      client.socket.write(byte);
      await pause(60);
    }
    expect(await eventually(() => client.heard() !== '' && client.heard())).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });

  test('delays no other answer when a hundred of them are open, and each of them is answered', async () => {
    const door = await doorAt({});
    const clients = Array.from({ length: 100 }, () => talk(door.port));
    for (const client of clients) {
      client.socket.write(head('/api/v1/documents', 'Content-Length: 30000000'));
      drip(client, ' ');
    }
    expect((await door.call({ path: '/api/health' })).status).toBe(200);
    await Promise.all(clients.map(({ closed }) => closed));
    // One had the account's place; four waited; none was left without an answer.
    for (const { heard } of clients) expect(heard()).toMatch(/^HTTP\/1\.1 (?:408|503) /);
    expect((await door.call({ path: '/api/health' })).status).toBe(200);
  });
});

test('a body in pieces of one byte is refused, one in small pieces is accepted', async () => {
  const door = await doorAt({ windowMs: NEVER_MS });
  const send = (piece: string): Talk => {
    const client = talk(door.port);
    const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
    client.socket.write(`${head('/api/v1/search', 'Transfer-Encoding: chunked')}2\r\n{}\r\n`);
    client.socket.write(`${chunk.repeat(5_000)}0\r\n\r\n`);
    return client;
  };
  const [bytes, pieces] = [send(' '), send(' '.repeat(20))];
  expect(await eventually(() => bytes.heard() !== '' && bytes.heard())).toMatch(/^HTTP\/1\.1 408 /);
  expect(await eventually(() => pieces.heard() !== '' && pieces.heard())).toMatch(
    /^HTTP\/1\.1 200 /,
  );
});

test('a body that goes on after its answer is not read for long', async () => {
  const app = new Koa<ApiState>();
  app.use((ctx) => void (ctx.status = 401));
  const patience = {
    headersMs: NEVER_MS,
    wholeRequestMs: NEVER_MS,
    checkMs: 100,
    drainMs: 200,
  };
  const server = await startServer(app, { host: '127.0.0.1', port: 0, patience });
  closing.push(() => server.close(100));
  const client = talk(server.port);
  client.socket.write(head('/', 'Content-Length: 1000000'));
  drip(client, ' ');
  await client.closed;
  expect(client.heard()).toMatch(/^HTTP\/1\.1 401 /);
});

describe('requests on one connection', () => {
  const ask = 'GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n';

  test('may be pipelined to a few before their answers', async () => {
    const door = await doorAt({});
    const client = talk(door.port);
    client.socket.write(ask.repeat(MOST_PIPELINED));
    await eventually(() => client.heard().match(/ 200 OK/g)?.length === MOST_PIPELINED);
  });

  test('may not be pipelined without end: the connection is closed', async () => {
    let begun = 0;
    const app = new Koa<ApiState>();
    app.use(async (ctx) => {
      begun += 1;
      await pause(50);
      ctx.body = '';
    });
    const server = await startServer(app, { host: '127.0.0.1', port: 0 });
    closing.push(() => server.close(100));
    let parsed = 0;
    const count = (): void => void (parsed += 1);
    subscribe('http.server.request.start', count);
    closing.push(async () => unsubscribe('http.server.request.start', count));
    const client = talk(server.port);
    client.socket.write(ask.repeat(20_000));
    await client.closed;
    expect(begun).toBe(MOST_PIPELINED);
    // What stands behind them in the same read is not even looked at.
    expect(parsed).toBe(MOST_PIPELINED + 1);
  });
});

test('connections of one network are limited: one too many is closed, and closed ones make room', async () => {
  const server = createServer((_request, response) => response.end('here'));
  boundConnections(server, { ofNetwork: 2 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const answered = (client: Talk): Promise<unknown> => {
    client.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return eventually(() => client.heard().includes('here'));
  };
  const [first, second] = [talk(port), talk(port)];
  await Promise.all([answered(first), answered(second)]);
  const third = talk(port);
  await third.closed;
  expect(third.heard()).toBe('');
  first.socket.destroy();
  await first.closed;
  await eventually(async () => {
    const next = talk(port);
    return Promise.race([answered(next).then(() => true), next.closed.then(() => false)]);
  });
});
