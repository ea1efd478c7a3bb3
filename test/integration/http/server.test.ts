/** The listener: start, stop, and clients that leave. */
import { describe, expect, test } from '@jest/globals';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import Koa from 'koa';
import type { ApiState } from '../../../api/context.ts';
import { startServer } from '../../../api/server.ts';
import { GOOD_TOKEN, openDoor } from '../../support/fake-door.ts';

/** Answers once `work` is done, and tells when a request has come. */
function appOf(work: Promise<void> = Promise.resolve(), arrived: () => void = () => {}) {
  const app = new Koa<ApiState>();
  app.use(async (ctx) => {
    arrived();
    await work;
    ctx.body = 'done';
  });
  return app;
}

/** So late that a test which gets there hangs. */
const NEVER_MS = 3_600_000;

const LOOPBACK = { host: '127.0.0.1', port: 0 };

describe('start', () => {
  test('takes a free port and names it', async () => {
    const server = await startServer(appOf(), LOOPBACK);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect(await (await fetch(server.url)).text()).toBe('done');
    await server.close();
  });

  test('a taken port is an error', async () => {
    const first = await startServer(appOf(), LOOPBACK);
    await expect(
      startServer(appOf(), { host: '127.0.0.1', port: first.port }),
    ).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.close();
  });
});

describe('stop', () => {
  test('lets a running request finish, then ends its kept-alive connection', async () => {
    const [work, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const server = await startServer(appOf(work.promise, arrived.resolve), LOOPBACK);
    const agent = new Agent({ keepAlive: true });
    const answer = Promise.withResolvers<string>();
    request(server.url, { agent }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.once('end', () => answer.resolve(body));
    })
      .once('error', answer.reject)
      .end();
    await arrived.promise;
    const closing = server.close(NEVER_MS);
    work.resolve();
    expect(await answer.promise).toBe('done');
    await closing;
    agent.destroy();
  });

  test('takes no new connection', async () => {
    const server = await startServer(appOf(), LOOPBACK);
    await server.close();
    await expect(fetch(server.url)).rejects.toThrow();
  });

  test('cuts off requests that do not finish by the deadline', async () => {
    const arrived = Promise.withResolvers<void>();
    const server = await startServer(appOf(new Promise(() => {}), arrived.resolve), LOOPBACK);
    const answer = fetch(server.url);
    const settled = expect(answer).rejects.toThrow();
    await arrived.promise;
    await server.close(100);
    await settled;
  });
});

describe('a client that leaves', () => {
  test('aborts the work of its request, and no error is logged', async () => {
    const aborted = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const door = await openDoor({
      run: async (_name, { signal }) => {
        started.resolve();
        await new Promise<void>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }).finally(() => aborted.resolve());
        return {};
      },
    });
    const socket = connect(door.port, '127.0.0.1');
    socket.write(
      `GET /api/v1/knowledge HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${GOOD_TOKEN}\r\n\r\n`,
    );
    await started.promise;
    socket.destroy();
    await aborted.promise;
    await pause(20);
    expect(door.logged).toEqual([]);
    await door.close();
  });

  test('in the middle of its body causes no error in the log', async () => {
    const door = await openDoor();
    const socket = connect(door.port, '127.0.0.1');
    socket.write(
      `POST /api/v1/search HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${GOOD_TOKEN}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"query": ',
    );
    await pause(100);
    socket.destroy();
    await pause(100);
    expect(door.logged.filter(({ level }) => level === 'error')).toEqual([]);
    await door.close();
  });
});
