/** The error table of the contract: each refusal, its status, its headers and its one shape. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Refusal, REFUSAL_CODES, type RefusalCode } from '../../../domain/errors.ts';
import { GOOD_TOKEN, MESSAGE_ID, openDoor, type FakeDoor } from '../../support/fake-door.ts';

const TABLE: Readonly<Record<RefusalCode, number>> = {
  malformed_json: 400,
  unsupported_protocol: 400,
  invalid_request: 422,
  unauthorized: 401,
  human_identity_required: 403,
  forbidden: 403,
  unknown_peer: 422,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  unavailable: 503,
  internal_error: 500,
};

class ConnectionError extends Error {}

function failureNamed(name: unknown): unknown {
  switch (name) {
    case 'database_away':
      return new ConnectionError('connect to secret-host', { cause: new Error('secret') });
    case 'socket_refused':
      return Object.assign(new Error('secret'), { code: 'ECONNREFUSED' });
    case 'defect':
      return new TypeError('statement: the secret text');
    case 'thrown_text':
      return 'the secret text';
    case 'wait':
      return new Refusal('rate_limited', { retryAfterSeconds: 17 });
    case 'with_fields':
      return new Refusal('invalid_request', { fields: [{ path: 'limit', message: 'is odd' }] });
    default: {
      const code = REFUSAL_CODES.find((known) => known === name);
      return new Refusal(code ?? 'internal_error');
    }
  }
}

let door: FakeDoor;
beforeAll(async () => {
  door = await openDoor({
    run: async (_name, _context, input) => {
      throw failureNamed(input['fail']);
    },
  });
});
afterAll(() => door.close());

const failing = (fail: string) =>
  door.call({ path: '/api/v1/search', token: GOOD_TOKEN, json: { fail } });

describe('each refusal', () => {
  test.each(Object.entries(TABLE))('%s answers %i in the one shape', async (code, status) => {
    const answer = await failing(code);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual({ error: expect.any(String), code });
    expect(answer.headers['x-trace-id']).toMatch(/^[0-9a-f]{32}$/);
  });

  test('the table covers every code there is', () => {
    expect(Object.keys(TABLE).sort()).toEqual([...REFUSAL_CODES].sort());
  });

  test('a refusal about fields lists them', async () => {
    expect((await failing('with_fields')).json()).toEqual({
      error: expect.any(String),
      code: 'invalid_request',
      fields: [{ path: 'limit', message: 'is odd' }],
    });
  });

  test('401 asks for a bearer token and no other status does', async () => {
    expect((await failing('unauthorized')).headers['www-authenticate']).toBe('Bearer');
    expect((await failing('forbidden')).headers['www-authenticate']).toBeUndefined();
  });

  test('429 and 503 say how long to wait', async () => {
    expect((await failing('wait')).headers['retry-after']).toBe('17');
    expect((await failing('unavailable')).headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect((await failing('not_found')).headers['retry-after']).toBeUndefined();
  });
});

describe('errors that are not refusals', () => {
  test.each(['database_away', 'socket_refused'])('%s is 503 with Retry-After', async (fail) => {
    const answer = await failing(fail);
    expect(answer.status).toBe(503);
    expect(answer.json()).toMatchObject({ code: 'unavailable' });
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  });

  test.each(['defect', 'thrown_text'])(
    '%s is 500 and its answer shows nothing of the error',
    async (fail) => {
      const answer = await failing(fail);
      expect(answer.status).toBe(500);
      expect(answer.json()).toEqual({ error: expect.any(String), code: 'internal_error' });
      expect(answer.text).not.toContain('secret');
    },
  );

  test('the log names class and trace, never the message', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c';
    await door.call({
      path: '/api/v1/search',
      token: GOOD_TOKEN,
      json: { fail: 'defect' },
      headers: { traceparent: `00-${trace}-b7ad6b7169203331-01` },
    });
    const line = door.logged.find(({ fields }) => fields['trace_id'] === trace);
    expect(line).toEqual({
      level: 'error',
      event: 'http.unexpected_error',
      fields: { error: 'TypeError', trace_id: trace },
    });
    expect(JSON.stringify(door.logged)).not.toContain('secret');
  });

  test('refusals that a caller causes are not logged', async () => {
    const before = door.logged.length;
    await failing('not_found');
    await failing('invalid_request');
    expect(door.logged.length).toBe(before);
  });
});

describe('opaque answers are the same bytes', () => {
  test('an id that is not a UUID answers like one that does not exist', async () => {
    const missing = await openDoor({
      run: async () => {
        throw new Refusal('not_found');
      },
    });
    const answers = await Promise.all(
      [
        MESSAGE_ID,
        'x',
        '%00',
        '%E0%A4%A',
        `${MESSAGE_ID}0`,
        '11111111-1111-1111-1111-111111111111',
        "'; select 1",
      ].map((id) =>
        missing.call({
          path: `/api/v1/ingest/${id.replaceAll(' ', '%20')}`,
          token: GOOD_TOKEN,
        }),
      ),
    );
    await missing.close();
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.bytes.equals(answers[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
      expect(answer.headers['content-length']).toBe(answers[0]?.headers['content-length']);
    }
  });

  test('a missing, a malformed and an unknown credential get the same answer', async () => {
    const headers = [
      {},
      { authorization: 'Bearer' },
      { authorization: 'Bearer unknown' },
      { authorization: `Basic ${GOOD_TOKEN}` },
      { authorization: `Bearer ${GOOD_TOKEN} x` },
      { authorization: [`Bearer ${GOOD_TOKEN}`, `Bearer ${GOOD_TOKEN}`] },
    ];
    const answers = await Promise.all(
      headers.map((given) => door.call({ path: '/api/v1/knowledge', headers: given })),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.bytes.equals(answers[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
    }
  });
});
