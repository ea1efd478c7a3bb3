/**
 * The door in front of real identities and observations: what each wrong request is answered, over HTTP.
 * Real: Postgres, credentials, sign-in, ingest and its status. Faked: the bell of the actors, the operations
 * that are not asked here.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAccount } from '../../operations/identity/accounts.ts';
import { createKey } from '../../operations/identity/keys.ts';
import { signIn } from '../../operations/identity/sign-in.ts';
import { ingestObservation } from '../../operations/observations/ingest.ts';
import { readIngestStatus } from '../../operations/observations/status.ts';
import { buildObserving } from '../../runtime/container/observations.ts';
import { createScene, PASSWORD, type Scene } from '../integration/identity/scene.ts';
import type { HttpAnswer } from '../support/http.ts';
import { openDoor, type FakeDoor } from '../support/fake-door.ts';

let scene: Scene;
let door: FakeDoor;
let memberKey: string;
let readerKey: string;
let peerlessKey: string;
let foreignKey: string;
let messageId: string;

const OBSERVATION = { session_id: 's1', scope_path: '/team', content: 'Ana moved to Porto.' };
const RANDOM_ID = '01890000-0000-7000-8000-00000000ffff';

async function key(account: string, peer: string | null, role: string): Promise<string> {
  const made = await scene.run(createKey, { account, peer, scope: '/', role });
  return made.api_key;
}

function ingest(token: string, body: unknown, headers: Record<string, string> = {}) {
  return door.call({ path: '/api/v1/ingest', token, json: body, headers });
}

/** The member of `data` of that name, as text. */
function dataText(answer: HttpAnswer, name: string): string {
  const body = Object(answer.json());
  return String(Object(body.data)[name]);
}

beforeAll(async () => {
  scene = await createScene();
  await scene.bootstrap();
  await scene.run(createAccount, {
    key: 'other',
    email: 'other@example.org',
    name: 'Other',
    password: PASSWORD,
  });
  memberKey = await key('community', 'member-agent', 'member');
  readerKey = await key('community', 'reader-agent', 'reader');
  peerlessKey = await key('community', null, 'member');
  foreignKey = await key('other', 'foreign-agent', 'member');
  door = await openDoor({
    operations: { signIn, ingestObservation, readIngestStatus },
    environment: {
      ...scene.environment,
      ...buildObserving(scene.pool, scene.environment.inAccount),
      doorbell: { ring: () => {}, ringNow: async () => true },
    },
  });
  messageId = dataText(await ingest(memberKey, OBSERVATION), 'message_id');
});

afterAll(async () => {
  await door.close();
  await scene.close();
});

const signingIn = (body: unknown) => door.call({ path: '/api/auth/password', json: body });

describe('sign-in', () => {
  test('answers a bearer token that the API accepts', async () => {
    const answer = await signingIn({ email: 'admin@example.org', password: PASSWORD });
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        data: {
          token: expect.any(String),
          token_type: 'Bearer',
          expires_at: expect.any(String),
          peer_id: expect.any(String),
        },
      },
    ]);
    expect((await ingest(dataText(answer, 'token'), OBSERVATION)).status).toBe(202);
  });

  test('a wrong e-mail and a wrong password are the same 401, byte for byte', async () => {
    const [email, password] = [
      await signingIn({ email: 'nobody@example.org', password: PASSWORD }),
      await signingIn({ email: 'admin@example.org', password: 'wrong' }),
    ];
    expect([email.status, password.status]).toEqual([401, 401]);
    expect(email.bytes.equals(password.bytes)).toBe(true);
    expect(email.headers['www-authenticate']).toBe('Bearer');
  });

  test('a missing field is 422', async () => {
    const answer = await signingIn({ email: 'admin@example.org' });
    expect([answer.status, answer.json()]).toMatchObject([
      422,
      { code: 'invalid_request', fields: [{ path: 'password' }] },
    ]);
  });

  test('too many failures of one e-mail are 429 with Retry-After', async () => {
    const wrong = { email: 'tried@example.org', password: 'wrong' };
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await signingIn(wrong)).status).toBe(401);
    }
    const answer = await signingIn(wrong);
    expect([answer.status, answer.json()]).toMatchObject([429, { code: 'rate_limited' }]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('ingest', () => {
  test('answers 202 with the id of the message', async () => {
    const answer = await ingest(memberKey, OBSERVATION);
    expect([answer.status, answer.json()]).toEqual([
      202,
      {
        data: {
          message_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          status: 'accepted',
          occurred_at: expect.any(String),
        },
      },
    ]);
  });

  test.each(['session_id', 'scope_path', 'content'])('without %s is 422', async (field) => {
    for (const value of [undefined, null, '', '   ', 7]) {
      const answer = await ingest(memberKey, { ...OBSERVATION, [field]: value });
      expect([answer.status, answer.json()]).toMatchObject([
        422,
        { code: 'invalid_request', fields: [{ path: field }] },
      ]);
    }
  });

  test('null for an optional field is the same as its absence', async () => {
    const answer = await ingest(memberKey, {
      ...OBSERVATION,
      peer_key: null,
      peer_name: null,
      role: null,
      occurred_at: null,
    });
    expect(answer.status).toBe(202);
  });

  test('account_key, the account header and unknown fields change nothing', async () => {
    const answer = await ingest(
      memberKey,
      { ...OBSERVATION, account_key: 'other', unknown: { deep: [1] } },
      { 'x-memhouse-account-key': 'other' },
    );
    expect(answer.status).toBe(202);
    const [row] = await scene.rows(
      `select a.key from messages m join accounts a on a.id = m.account_id where m.id = $1`,
      [dataText(answer, 'message_id')],
    );
    expect(row).toEqual({ key: 'community' });
  });

  test('content past 1 MiB is 413', async () => {
    const answer = await ingest(memberKey, { ...OBSERVATION, content: 'x'.repeat(1_048_577) });
    expect([answer.status, answer.json()]).toMatchObject([413, { code: 'payload_too_large' }]);
  });

  test('a credential without the role is 403', async () => {
    const answer = await ingest(readerKey, OBSERVATION);
    expect([answer.status, answer.json()]).toMatchObject([403, { code: 'forbidden' }]);
  });

  test('a credential without a peer must name the speaker', async () => {
    const answer = await ingest(peerlessKey, OBSERVATION);
    expect([answer.status, answer.json()]).toMatchObject([
      422,
      { code: 'invalid_request', fields: [{ path: 'peer_key' }] },
    ]);
    expect((await ingest(peerlessKey, { ...OBSERVATION, peer_key: 'ana' })).status).toBe(202);
  });

  test('an idempotency key gives the first answer again, and 409 to another body', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await ingest(memberKey, OBSERVATION, headers);
    const again = await ingest(memberKey, OBSERVATION, headers);
    expect(dataText(again, 'message_id')).toBe(dataText(first, 'message_id'));
    const other = await ingest(memberKey, { ...OBSERVATION, content: 'Other.' }, headers);
    expect([other.status, other.json()]).toMatchObject([409, { code: 'conflict' }]);
  });

  test('keeps the trace of the request on the message', async () => {
    const answer = await ingest(memberKey, OBSERVATION);
    const [row] = await scene.rows('select trace_id from messages where id = $1', [
      dataText(answer, 'message_id'),
    ]);
    expect(row).toEqual({ trace_id: answer.headers['x-trace-id'] });
  });
});

const status = (token: string, id: string, query = '') =>
  door.call({ path: `/api/v1/ingest/${id}${query}`, token });

describe('status of an observation', () => {
  test('is shown to the relay', async () => {
    const answer = await status(memberKey, messageId);
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { data: { message_id: messageId, status: 'pending', knowledge: [], attempt_count: 0 } },
    ]);
  });

  test('hidden, foreign, missing and malformed ids are the same 404, byte for byte', async () => {
    const answers = [
      await status(readerKey, messageId),
      await status(foreignKey, messageId),
      await status(memberKey, RANDOM_ID),
      await status(memberKey, 'no-uuid'),
      await status(memberKey, '11111111-1111-1111-1111-111111111111'),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.bytes.equals(answers[0]?.bytes ?? Buffer.alloc(0))).toBe(true);
    }
  });

  test('waits no longer than asked, and a wait that is not a number is 422', async () => {
    const waits = ['?wait_ms=200', '?wait_ms=10000'].map(async (query) => {
      const answer = await status(memberKey, messageId, query);
      return [query, answer.status];
    });
    expect(await Promise.race(waits)).toEqual(['?wait_ms=200', 200]);
    await Promise.all(waits);
    expect((await status(memberKey, messageId, '?wait_ms=soon')).status).toBe(422);
  });
});

test('the service logs no error during the tests of this file', () => {
  expect(door.logged.filter(({ level }) => level === 'error')).toEqual([]);
});
