/** The listener: start, stop, and clients that leave. */
import { describe, expect, test } from '@jest/globals';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import Koa from 'koa';
import type { ApiState } from '../../../api/context.ts';
import { startServer } from '../../../api/server.ts';
import { GOOD_TOKEN, openDoor } from './fake-door.ts';

function slowApp(workMs: number): Koa<ApiState> {
  const app = new Koa<ApiState>();
  app.use(async (ctx) => {
    await pause(workMs, undefined, { ref: false });
    ctx.body = 'done';
  });
  return app;
}

const LOOPBACK = { host: '127.0.0.1', port: 0 };

describe('start', () => {
  test('takes a free port and names it', async () => {
    const server = await startServer(slowApp(0), LOOPBACK);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect(await (await fetch(server.url)).text()).toBe('done');
    await server.close();
  });

  test('a taken port is an error', async () => {
    const first = await startServer(slowApp(0), LOOPBACK);
    await expect(
      startServer(slowApp(0), { host: '127.0.0.1', port: first.port }),
    ).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.close();
  });
});

describe('stop', () => {
  test('lets a running request finish, then ends its kept-alive connection', async () => {
    const server = await startServer(slowApp(200), LOOPBACK);
    const agent = new Agent({ keepAlive: true });
    const answer = Promise.withResolvers<string>();
    request(server.url, { agent }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.once('end', () => answer.resolve(body));
    })
      .once('error', answer.reject)
      .end();
    await pause(50);
    const startedAt = performance.now();
    const closing = server.close(5_000);
    expect(await answer.promise).toBe('done');
    await closing;
    expect(performance.now() - startedAt).toBeLessThan(4_500);
    agent.destroy();
  });

  test('takes no new connection', async () => {
    const server = await startServer(slowApp(0), LOOPBACK);
    await server.close();
    await expect(fetch(server.url)).rejects.toThrow();
  });

  test('cuts at the deadline what does not finish', async () => {
    const server = await startServer(slowApp(3_000), LOOPBACK);
    const answer = fetch(server.url);
    const settled = expect(answer).rejects.toThrow();
    await pause(50);
    const startedAt = performance.now();
    await server.close(100);
    expect(performance.now() - startedAt).toBeLessThan(2_800);
    await settled;
  });
});

describe('a client that leaves', () => {
  test('aborts the work of its request and is no defect in the log', async () => {
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

  test('in the middle of its body is no defect in the log', async () => {
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
