/** Trace ids and security headers, on every kind of answer. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { GOOD_CALLS, openDoor, type FakeDoor } from '../../support/fake-door.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

let door: FakeDoor;
let tracesSeen: string[] = [];
beforeAll(async () => {
  door = await openDoor({
    run: async (_name, context) => {
      tracesSeen.push(context.traceId);
      return {};
    },
  });
});
afterAll(() => door.close());

/** One request of every route, one unknown path and one wrong method. */
const CALLS = [
  ...GOOD_CALLS,
  { path: '/nowhere', method: 'GET' },
  { path: '/api/health', method: 'DELETE' },
  { path: '/api/v1/search', method: 'POST' },
];

describe('x-trace-id', () => {
  test.each(CALLS.map((call) => [`${call.method} ${call.path}`, call] as const))(
    '%s carries a fresh one',
    async (_title, call) => {
      const [first, second] = [await door.call(call), await door.call(call)];
      expect(first.headers['x-trace-id']).toMatch(/^[0-9a-f]{32}$/);
      expect(first.headers['x-trace-id']).not.toBe(second.headers['x-trace-id']);
    },
  );

  test.each(CALLS.map((call) => [`${call.method} ${call.path}`, call] as const))(
    '%s keeps the trace id of the caller',
    async (_title, call) => {
      const answer = await door.call({
        ...call,
        headers: { traceparent: `00-${TRACE}-${SPAN}-01` },
      });
      expect(answer.headers['x-trace-id']).toBe(TRACE);
    },
  );

  test('is the trace id of the context of the operation', async () => {
    tracesSeen = [];
    const answer = await door.call({ path: '/api/health' });
    expect(tracesSeen).toEqual([answer.headers['x-trace-id']]);
  });

  test('is on the answer to bytes that are not HTTP', async () => {
    const socket = connect(door.port, '127.0.0.1');
    socket.write('this is no request\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\r\nx-trace-id: [0-9a-f]{32}\r\n/);
    expect(answer).toMatch(/\{"error":"[^"]+","code":"malformed_request"\}$/);
  });
});

describe('security headers', () => {
  test.each(CALLS.map((call) => [`${call.method} ${call.path}`, call] as const))(
    '%s forbids sniffing, framing, scripts and storing',
    async (_title, call) => {
      expect((await door.call(call)).headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
    },
  );

  test('promise https only where the public address is https', async () => {
    const secure = await openDoor({ config: { publicHttps: true } });
    const answer = await secure.call({ path: '/api/health' });
    await secure.close();
    expect(answer.headers['strict-transport-security']).toMatch(/^max-age=\d+$/);
    const plain = await door.call({ path: '/api/health' });
    expect(plain.headers['strict-transport-security']).toBeUndefined();
  });
});
