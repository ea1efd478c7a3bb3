/** What never reaches the application is answered in the same shape, with a trace id, and closed. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import Koa from 'koa';
import type { ApiState } from '../../../api/context.ts';
import { startServer, type RunningApi } from '../../../api/server.ts';
import { eventually } from '../../support/patience.ts';

let server: RunningApi;
/** Has short timeouts. */
let impatient: RunningApi;

function echoingApp(): Koa<ApiState> {
  const app = new Koa<ApiState>();
  app.silent = true;
  app.use(async (ctx) => {
    if (ctx.path === '/slow') await pause(20_000, undefined, { ref: false });
    const sent = await text(ctx.req);
    ctx.body = { path: ctx.path, query: ctx.querystring, ...(sent === '' ? {} : { sent }) };
  });
  return app;
}

beforeAll(async () => {
  const patience = { headersMs: 200, wholeRequestMs: 400, checkMs: 20 };
  const loopback = { host: '127.0.0.1', port: 0 };
  server = await startServer(echoingApp(), loopback);
  impatient = await startServer(echoingApp(), { ...loopback, patience });
});
afterAll(() => Promise.all([server.close(100), impatient.close(100)]));

/** Everything a server says until it closes. A client that says no more keeps its side open. */
async function converse(
  { port }: RunningApi,
  parts: readonly string[],
  between: (heard: () => string) => Promise<unknown>,
): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const ended = once(socket, 'end');
  let heard = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (heard += chunk));
  for (const part of parts) {
    socket.write(part);
    await between(() => heard);
  }
  await ended;
  socket.destroy();
  return heard;
}

/** Says each part when the one before was answered. */
const say = (...parts: readonly string[]) =>
  converse(server, parts, (heard) => eventually(() => heard() !== ''));
/** Says each part after a while. */
const dawdle = (...parts: readonly string[]) => converse(impatient, parts, () => pause(20));

const malformed = (status: number): RegExp =>
  new RegExp(
    `^HTTP/1.1 ${status} [^]*\r\nx-trace-id: [0-9a-f]{32}\r\n\r\n\\{"error":"[^"]+","code":"malformed_request"\\}$`,
  );
const CLOSE = 'Connection: close\r\n\r\n';

describe('a request that is not valid HTTP', () => {
  test.each([
    ['no HTTP at all', 400, 'hello\r\n\r\n'],
    ['without a host', 400, `GET / HTTP/1.1\r\n${CLOSE}`],
    ['with a target that is no URL', 400, `GET http://[::1/x HTTP/1.1\r\nHost: x\r\n${CLOSE}`],
    [
      'with headers past 16 KiB',
      431,
      `GET / HTTP/1.1\r\nx-long: ${'h'.repeat(20_000)}\r\n${CLOSE}`,
    ],
    ['with a path past 16 KiB', 431, `GET /${'p'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n${CLOSE}`],
  ])('%s is answered %i', async (_name, status, text) => {
    expect(await say(text)).toMatch(malformed(status));
  });

  test('after a good request on the same connection is answered as well', async () => {
    const heard = await say('GET /first HTTP/1.1\r\nHost: x\r\n\r\n', 'garbage\r\n\r\n');
    const [first, second] = heard.split(/(?=HTTP\/1\.1 400)/);
    expect(first).toMatch(/^HTTP\/1\.1 200 /);
    expect(second).toMatch(malformed(400));
  });

  test('after the client was told to go on is answered as well', async () => {
    const heard = await say(
      'POST /slow HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n',
      'zz\r\n',
    );
    const [, answer] = heard.split('HTTP/1.1 100 Continue\r\n\r\n');
    expect(answer).toMatch(malformed(400));
  });
});

describe('a chunked request that asks for another protocol', () => {
  const HEAD =
    'POST /a?b=1 HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nTransfer-Encoding: chunked\r\n\r\n';
  const BODY = '5\r\nhello\r\n0\r\n\r\n';
  const answered = '{"path":"/a","query":"b=1","sent":"hello"}';
  const oncePaused = (...parts: readonly string[]) => converse(server, parts, () => pause(20));

  test('is served over HTTP/1.1, and its connection is closed', async () => {
    const heard = await say(HEAD + BODY);
    expect(heard).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n/);
    expect(heard).toContain(answered);
  });

  test('is served when its body comes later', async () => {
    expect(await oncePaused(HEAD, BODY.slice(0, 4), BODY.slice(4))).toContain(answered);
  });

  test('is served after the answers to the requests before it', async () => {
    const first = 'GET /first HTTP/1.1\r\nHost: x\r\n\r\n';
    const heard = await say(first + first + HEAD + BODY);
    expect(heard.match(/HTTP\/1\.1 200 /g)).toHaveLength(3);
    expect(heard.indexOf('/first')).toBeLessThan(heard.indexOf(answered));
  });

  test.each([
    ['at once', [`${HEAD}zz\r\nno chunk\r\n0\r\n\r\n`]],
    ['later', [HEAD, 'zz\r\nno chunk\r\n0\r\n\r\n']],
    ['after a good one', [HEAD, '5\r\nhello\r\n', 'zz\r\n']],
  ])('is answered 400 when a malformed chunk comes %s', async (_when, parts) => {
    expect(await oncePaused(...parts)).toMatch(malformed(400));
  });

  test('whose client leaves before its turn does not affect later requests', async () => {
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    socket.write(`GET /slow HTTP/1.1\r\nHost: x\r\n\r\n${HEAD}${BODY}`);
    await pause(50);
    socket.resetAndDestroy();
    expect(await say(HEAD + BODY)).toContain(answered);
  });
});

test('a client that does not close its side after a 400 is disconnected', async () => {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined).write('garbage\r\n\r\n');
  const more = setInterval(() => socket.write('x'), 50);
  await closed;
  clearInterval(more);
});

describe('a client that is too slow', () => {
  test('to send its headers is answered 408', async () => {
    expect(await dawdle('GET / HTTP/1.1\r\n', 'Host: x\r\n')).toMatch(malformed(408));
  });

  test('to send its body is answered 408', async () => {
    const head = 'POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n';
    expect(await dawdle(head, '{')).toMatch(malformed(408));
  });
});

test('CONNECT is answered 405', async () => {
  expect(await say('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 405 [^]*x-trace-id: [0-9a-f]{32}\r\n\r\n\{"error":"[^"]+","code":"method_not_allowed"\}$/,
  );
});

describe('an unusual but valid request reaches the application', () => {
  test.each([
    ['an unknown expectation', `GET /a?b=1 HTTP/1.1\r\nHost: x\r\nExpect: more\r\n${CLOSE}`],
    ['a target in absolute form', `GET http://other.example/a?b=1 HTTP/1.1\r\nHost: x\r\n${CLOSE}`],
    ['HTTP/1.0 without a host', 'GET /a?b=1 HTTP/1.0\r\n\r\n'],
  ])('%s', async (_name, text) => {
    const heard = await say(text);
    expect(heard).toMatch(/^HTTP\/1\.1 200 /);
    expect(heard).toContain('{"path":"/a","query":"b=1"}');
  });
});
