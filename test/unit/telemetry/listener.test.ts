import { createServer } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { randomPorts } from '../../../embedded/port-numbers.ts';
import { openMetrics } from '../../../runtime/telemetry/listener.ts';

const silentLog = { info() {}, warn() {}, error() {} };
const HOST = '127.0.0.1';
const metrics = { contentType: 'text/plain; version=0.0.4', text: async () => 'up 1\n' };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** `first` stands for the default port, which a start in another test may be about to take. */
async function open(port?: number, first?: number) {
  const listener = await openMetrics(
    { SERVICE_METRICS_HOST: HOST, SERVICE_METRICS_PORT: port },
    metrics,
    silentLog,
    first,
  );
  closing.push(() => listener.close());
  return listener;
}

/** Takes a port; one that another process has already is as good. */
async function take(port: number): Promise<void> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.once('error', () => resolve());
  server.listen(port, HOST, () => {
    closing.push(() => new Promise((closed) => server.close(() => closed())));
    resolve();
  });
  await promise;
}

async function freePort(): Promise<number> {
  const { metrics: port } = await randomPorts(['metrics']);
  if (port === undefined) throw new Error('no port');
  return port;
}

test('GET /metrics is answered, and no other path or method', async () => {
  const { port } = await open(await freePort());
  const base = `http://${HOST}:${port}`;
  const answer = await fetch(`${base}/metrics?x=1`);
  expect([answer.status, await answer.text()]).toEqual([200, 'up 1\n']);
  expect(answer.headers.get('content-type')).toBe(metrics.contentType);
  for (const path of ['/', '/metrics/', '/METRICS', '/api/health', '/metrics/../etc']) {
    const other = await fetch(`${base}${path}`);
    expect([path, other.status, await other.text()]).toEqual([path, 404, '']);
  }
  for (const method of ['POST', 'PUT', 'DELETE']) {
    expect((await fetch(`${base}/metrics`, { method })).status).toBe(404);
  }
});

test('a port that the environment names is never moved, and is an error when it is taken', async () => {
  const port = await freePort();
  await take(port);
  await expect(open(port)).rejects.toMatchObject({
    name: 'PreconditionError',
    message: expect.stringContaining(`Port ${port} on ${HOST}, which SERVICE_METRICS_PORT names`),
  });
});

test('without a name the default moves to the next free port', async () => {
  const first = await freePort();
  await take(first);
  const { port } = await open(undefined, first);
  expect(port).toBeGreaterThan(first);
  expect((await fetch(`http://${HOST}:${port}/metrics`)).status).toBe(200);
});

test('port 0 opens no listener', async () => {
  expect(await open(0)).toMatchObject({ port: null });
});
