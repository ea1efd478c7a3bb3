/** Every route against every way a request can be wrong before an operation sees it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RequestContext } from '../../../operations/operation.ts';
import { search } from '../../../operations/retrieval/search.ts';
import {
  GOOD_CALLS,
  GOOD_TOKEN,
  MESSAGE_ID,
  openDoor,
  type FakeDoor,
} from '../../support/fake-door.ts';

interface Seen {
  readonly name: string;
  readonly context: RequestContext;
  readonly input: Record<string, unknown>;
}

let door: FakeDoor;
let seen: Seen[] = [];
beforeAll(async () => {
  door = await openDoor({
    run: async (name, context, input) => {
      seen.push({ name, context, input });
      return name === 'readReadiness' ? { status: 'ready' } : {};
    },
  });
});
beforeEach(() => {
  seen = [];
});
afterAll(() => door.close());

const ROUTES = GOOD_CALLS.map((call) => [`${call.method} ${call.path}`, call] as const);
const WITH_BODY = ROUTES.filter(([, call]) => call.hasBody);
const PROTECTED = ROUTES.filter(([, call]) => call.needsCredential);
describe.each(ROUTES)('%s', (_title, call) => {
  test('answers a good request with its status', async () => {
    const answer = await door.call(call);
    expect(call.statuses).toContain(answer.status);
    expect(seen).toHaveLength(1);
  });

  test('answers 405 with Allow to other methods, without asking for a credential', async () => {
    const offered = GOOD_CALLS.filter(({ path }) => path === call.path).map(({ method }) => method);
    const others = ['PATCH', 'DELETE', 'PURGE', 'OPTIONS'].filter((it) => !offered.includes(it));
    expect(others.length).toBeGreaterThan(2);
    for (const method of others) {
      const answer = await door.call({ path: call.path, method });
      expect(answer.status).toBe(405);
      expect(answer.headers['allow']?.split(', ')).toEqual(expect.arrayContaining(offered));
      expect(answer.json()).toEqual({ error: expect.any(String), code: 'method_not_allowed' });
    }
    expect(seen).toHaveLength(0);
  });

  test('an unknown path beside it is 404, without asking for a credential', async () => {
    for (const path of [`${call.path}/`, `${call.path}/more/still`, call.path.toUpperCase()]) {
      const answer = await door.call({ path, method: call.method });
      expect(answer.status).toBe(404);
      expect(answer.json()).toEqual({ error: expect.any(String), code: 'not_found' });
    }
    expect(seen).toHaveLength(0);
  });
});

describe.each(PROTECTED)('%s, protected', (_title, call) => {
  test.each([
    ['no credential', {}],
    ['an unknown credential', { authorization: 'Bearer nobody' }],
    ['another scheme', { authorization: `Basic ${GOOD_TOKEN}` }],
    ['two credentials', { authorization: [`Bearer ${GOOD_TOKEN}`, `Bearer ${GOOD_TOKEN}`] }],
  ])('answers 401 to %s, before it reads the body', async (_name, headers) => {
    const { token: _unused, ...bare } = call;
    const answer = await door.call({
      ...bare,
      headers,
      ...(call.hasBody ? { raw: '{"broken' } : {}),
    });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(seen).toHaveLength(0);
  });

  test('takes the scheme in any case', async () => {
    const { token: _unused, ...bare } = call;
    const answer = await door.call({ ...bare, headers: { authorization: `bEARER ${GOOD_TOKEN}` } });
    expect(answer.status).toBeLessThan(300);
  });
});

describe.each(WITH_BODY)('%s, its body', (_title, call) => {
  const sending = (raw: string | Buffer, headers: Record<string, string> = {}) =>
    door.call({ ...call, raw, headers });

  test.each([
    ['cut off', '{"text": "a'],
    ['two values', '{} {}'],
    ['plain text', 'hello'],
    ['a trailing comma', '{"a":1,}'],
    ['blanks only', '  '],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['nesting without end', '['.repeat(8_000)],
  ])('is 400 malformed_json when it is %s', async (_name, raw) => {
    const answer = await sending(raw);
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: expect.any(String), code: 'malformed_json' },
    ]);
    expect(seen).toHaveLength(0);
  });

  test.each([
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"text"'],
    ['a number', '1'],
    ['true', 'true'],
    ['NUL in a text', '{"text": "a\\u0000b"}'],
    ['NUL deep inside an unknown member', '{"x": [{"y": "\\u0000"}]}'],
    ['NUL in a name', '{"a\\u0000": 1}'],
    ['a lone high surrogate', '{"text": "\\ud800"}'],
    ['a lone low surrogate', '{"text": "\\udc00 after"}'],
    ['nesting past 64 levels', `{"a":${'['.repeat(70)}${']'.repeat(70)}}`],
  ])('is 422 invalid_request when it is or holds %s', async (_name, raw) => {
    const answer = await sending(raw);
    expect([answer.status, answer.json()]).toEqual([
      422,
      { error: expect.any(String), code: 'invalid_request', fields: [expect.anything()] },
    ]);
    expect(seen).toHaveLength(0);
  });

  test('is refused without repeating the names of unknown members', async () => {
    for (const raw of [
      '{"qhvm": "\\u0000"}',
      '{"qhvm": [{"zkwu": "\\ud800"}]}',
      '{"qhvm\\u0000": 1}',
    ]) {
      const answer = await sending(raw);
      expect(answer.json()).toMatchObject({ fields: [{ path: '' }] });
      expect(answer.text).not.toMatch(/qhvm|zkwu/);
    }
  });

  test.each([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['text', { 'content-type': 'text/plain' }],
    ['another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['compressed', { 'content-encoding': 'gzip' }],
  ])('is 415 when it is sent as %s', async (_name, headers) => {
    const answer = await sending('{}', headers);
    expect([answer.status, answer.json()]).toMatchObject([415, { code: 'unsupported_media_type' }]);
    expect(seen).toHaveLength(0);
  });

  test('keeps a surrogate pair and drops null members at every depth', async () => {
    await sending('{"text": "\\ud83d\\ude00", "b": null, "c": {"d": null, "e": 1}, "f": [null]}');
    expect(seen[0]?.input).toEqual({ text: '😀', c: { e: 1 }, f: [null], ...call.ofThePath });
  });

  test('is the empty object when the request has no body', async () => {
    const { json: _unused, ...bare } = call;
    await door.call(bare);
    expect(seen[0]?.input).toEqual(call.ofThePath);
  });

  test('takes as much as its route allows and refuses one byte more with 413', async () => {
    const limit = call.bodyLimitBytes;
    const around = `{"${call.largestMember}":""}`.length;
    // Base64 of what a file may have, where one is taken, and blanks.
    const text = 'x'.repeat(Math.min(limit - around, Math.floor((32 * 1024 * 1024) / 3) * 4));
    const fitting = `{"${call.largestMember}":"${text}"}`;
    const blanks = ' '.repeat(limit - fitting.length);
    expect((await sending(fitting + blanks)).status).toBeLessThan(300);
    const answer = await sending(`${fitting}${blanks} `);
    expect([answer.status, answer.json()]).toMatchObject([413, { code: 'payload_too_large' }]);
  });

  test('is 413 past its limit, also when its length is not announced', async () => {
    const answer = await door.call({
      ...call,
      raw: Buffer.alloc(call.bodyLimitBytes + 1024 * 1024, 0x20),
      headers: { 'transfer-encoding': 'chunked', 'content-length': [] },
    });
    expect(answer.status).toBe(413);
    expect(seen).toHaveLength(0);
  });
});

test('an error of the body names a known field, never a name that the caller made up', async () => {
  const strict = await openDoor({ operations: { search } });
  const faultOf = async (raw: string): Promise<unknown> =>
    (await strict.call({ path: '/api/v1/search', token: GOOD_TOKEN, raw })).json();
  const faultAt = (path: string) => ({
    code: 'invalid_request',
    fields: [{ path, message: 'must not contain NUL characters' }],
  });
  expect(await faultOf('{"query": "a\\u0000"}')).toMatchObject(faultAt('query'));
  expect(await faultOf('{"source_filters": {"x": "\\u0000"}}')).toMatchObject(
    faultAt('source_filters'),
  );
  expect(await faultOf('{"secret": "\\u0000"}')).toMatchObject(faultAt(''));
  await strict.close();
});

describe('what an operation receives', () => {
  test('path and query parameters in their types, and nothing that was not declared', async () => {
    await door.call({
      path: `/api/v1/ingest/${MESSAGE_ID.toUpperCase()}?wait_ms=500&other=1`,
      token: GOOD_TOKEN,
    });
    expect(seen[0]?.input).toEqual({ message_id: MESSAGE_ID, wait_ms: 500 });
  });

  test('an integer that cannot be parsed is passed on as text', async () => {
    await door.call({
      path: '/api/v1/knowledge?limit=many&state=active&scope_path=%2Fa%20b',
      token: GOOD_TOKEN,
    });
    expect(seen[0]?.input).toEqual({ limit: 'many', state: 'active', scope_path: '/a b' });
  });

  test('NUL in a query is 422', async () => {
    const answer = await door.call({ path: '/api/v1/knowledge?peer_key=a%00', token: GOOD_TOKEN });
    expect([answer.status, answer.json()]).toMatchObject([422, { code: 'invalid_request' }]);
  });

  test('the account header changes nothing', async () => {
    await door.call({
      path: '/api/v1/search',
      token: GOOD_TOKEN,
      json: {},
      headers: { 'x-memhouse-account-key': 'other' },
    });
    expect(seen[0]?.context.caller?.accountId).toBe('01890000-0000-7000-8000-000000000001');
    expect(seen[0]?.input).toEqual({});
  });

  test('domain actions are wrapped in data, probes are bare', async () => {
    const path = '/api/v1/governance/reviews';
    expect((await door.call({ path, token: GOOD_TOKEN })).text).toBe('{"data":{}}');
    expect((await door.call({ path: '/api/health' })).text).toBe('{}');
  });

  test('a public route ignores a bad credential', async () => {
    expect((await door.call({ path: '/api/health', token: 'nobody' })).status).toBe(200);
    expect(seen[0]?.context.caller).toBeNull();
  });

  test('HEAD answers like GET without a body', async () => {
    const answer = await door.call({ path: '/api/health', method: 'HEAD' });
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
  });
});

const ingest = (key: string | string[]) =>
  door.call({
    path: '/api/v1/ingest?x=1',
    token: GOOD_TOKEN,
    json: {},
    headers: { 'idempotency-key': key },
  });

describe('Idempotency-Key', () => {
  test('reaches a write with the concrete path', async () => {
    await ingest('k'.repeat(255));
    expect(seen[0]?.context.idempotency).toEqual({ key: 'k'.repeat(255), path: '/api/v1/ingest' });
  });

  test.each([
    ['empty', ''],
    ['256 characters long', 'k'.repeat(256)],
    ['sent twice', ['a', 'b']],
  ])('is 422 when it is %s', async (_name, key) => {
    const answer = await ingest(key);
    expect([answer.status, answer.json()]).toMatchObject([
      422,
      { code: 'invalid_request', fields: [{ path: 'idempotency-key' }] },
    ]);
    expect(seen).toHaveLength(0);
  });

  test('is ignored on a read and on sign-in', async () => {
    const headers = { 'idempotency-key': '' };
    await door.call({ path: '/api/v1/search', token: GOOD_TOKEN, json: {}, headers });
    await door.call({ path: '/api/auth/password', json: {}, headers });
    expect(seen.map(({ context }) => context.idempotency)).toEqual([null, null]);
  });
});
