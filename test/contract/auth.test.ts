/** Signing in, and how long a credential is good. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PASSWORD } from '../support/account.ts';
import { eventually } from '../support/patience.ts';
import { dataOf, startService, type Body, type Service } from '../support/service.ts';
import { exactly, refusal } from './answers.ts';

const HOUR_MS = 3_600_000;

let service: Service;

const signIn = (json: unknown) => service.call({ path: '/api/auth/password', json });
const open = (token: string) => service.knowledge(token);

let startedAt: number;
let readyAt: number;

beforeAll(async () => {
  startedAt = Date.now();
  service = await startService();
  readyAt = Date.now();
});

afterAll(() => service.close());

describe('signing in', () => {
  const good = () => ({ email: service.home.adminEmail, password: PASSWORD });

  test('answers a bearer token that the service accepts for one hour', async () => {
    const before = Date.now();
    const answer = await signIn(good());
    const after = Date.now();
    const data = dataOf(answer);
    expect([answer.status, data]).toEqual([
      200,
      {
        token: expect.any(String),
        token_type: 'Bearer',
        expires_at: expect.stringMatching(/Z$/),
        peer_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ]);
    const expiresAt = Date.parse(String(data['expires_at']));
    expect(expiresAt).toBeGreaterThanOrEqual(before + HOUR_MS - 1_000);
    expect(expiresAt).toBeLessThanOrEqual(after + HOUR_MS + 1_000);
    expect((await open(String(data['token']))).status).toBe(200);
  });

  test('takes the e-mail in any case', async () => {
    const { email, password } = good();
    expect((await signIn({ email: email.toUpperCase(), password })).status).toBe(200);
  });

  test('gives the same answer, byte for byte, to a wrong e-mail and a wrong password', async () => {
    const { email, password } = good();
    const wrong: readonly Body[] = [
      { email, password: 'wrong horse battery' },
      { email: 'nobody@home.example', password },
      { email: 'no e-mail at all', password },
      { email: '', password: '' },
    ];
    const answers = [];
    for (const body of wrong) answers.push(exactly(await signIn(body)));
    expect(answers[0]).toMatchObject({ status: 401 });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test.each([[{}], [{ email: 'a@b.example' }], [{ email: 7, password: 'x' }], [[]]])(
    '%j is 422',
    async (body) => {
      expect(refusal(await signIn(body)).slice(0, 2)).toEqual([422, 'invalid_request']);
    },
  );

  test('is 429 after ten failures of one e-mail, also with the right password', async () => {
    await service.home.person('forgetful');
    const email = 'forgetful@home.example';
    for (let n = 0; n < 10; n += 1) {
      expect((await signIn({ email, password: 'wrong horse battery' })).status).toBe(401);
    }
    const answer = await signIn({ email, password: PASSWORD });
    expect(refusal(answer)).toEqual([429, 'rate_limited']);
    const wait = Number(answer.headers['retry-after']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(900);
    expect((await signIn(good())).status).toBe(200);
  });
});

describe('the bootstrap token', () => {
  test('acts as the administrator for twelve hours', async () => {
    const { token, expiresAt } = service.bootstrapToken;
    const madeAt = Date.parse(expiresAt) - 12 * HOUR_MS;
    expect(madeAt).toBeGreaterThanOrEqual(startedAt - 1_000);
    expect(madeAt).toBeLessThanOrEqual(readyAt + 1_000);
    const answer = await service.search(token, { deadline: 'disabled' });
    expect(answer.status).toBe(200);
  });
});

describe('a credential', () => {
  test('that does not exist is 401 with a challenge, and the answer is the same for every wrong text', async () => {
    const { token } = await service.home.agent('agent');
    const wrong = [
      '',
      'x',
      `${token}x`,
      token.slice(0, -1),
      token.toUpperCase(),
      `vch_${'a'.repeat(60)}`,
    ];
    const answers = await Promise.all(wrong.map((text) => open(text)));
    for (const answer of answers) {
      expect(refusal(answer)).toEqual([401, 'unauthorized']);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(exactly(answer)).toEqual(exactly(answers[0] ?? answer));
    }
  });

  test('that was revoked is refused within five seconds, even while it is in use', async () => {
    const key = await service.home.agent('short-lived');
    expect((await open(key.token)).status).toBe(200);
    await service.home.revoke(key);
    const revokedAt = performance.now();
    for (;;) {
      // When it was asked counts, not how long a busy machine took to answer.
      const askedAt = performance.now();
      const { status } = await open(key.token);
      if (status === 401) break;
      expect(askedAt - revokedAt).toBeLessThan(5_000);
      await sleep(100);
    }
  });

  test('that has expired is 401 from the instant of its expiry on', async () => {
    // A busy machine may take longer than the first lives to ask once; the next lives twice as long.
    for (let seconds = 2; ; seconds *= 2) {
      const askedAt = performance.now();
      const key = await service.home.agent(`expiring-${seconds}`, { expires_in_seconds: seconds });
      const madeAt = performance.now();
      const early = await open(key.token);
      const wasEarly = performance.now() - askedAt < seconds * 1_000;
      if (wasEarly) expect(early.status).toBe(200);
      await sleep(madeAt + seconds * 1_000 + 100 - performance.now());
      expect(refusal(await open(key.token))).toEqual([401, 'unauthorized']);
      if (wasEarly) break;
    }
  });

  test('of a person is 401 after its expiry too', async () => {
    const token = await service.home.person('guest');
    await service.rows(
      `update credentials set expires_at = now() - interval '1 second'
       where account_id = $1 and kind = 'password_token' and peer_id =
         (select id from peers where account_id = $1 and key = 'guest@home.example')`,
      [service.home.id],
    );
    expect(refusal(await open(token))).toEqual([401, 'unauthorized']);
  });

  test('is required before the body is read, and never by the health and readiness probes', async () => {
    const bare = await service.call({ path: '/api/v1/search', raw: '{' });
    expect(refusal(bare)).toEqual([401, 'unauthorized']);
    const health = await service.call({ path: '/api/health' });
    expect(health.status).toBe(200);
    // On a busy machine a server may answer a check too late.
    await eventually(async () => (await service.call({ path: '/api/ready' })).status === 200);
  });
});

test('the service logs no error during the tests of this file', () => {
  expect(service.errors).toEqual([]);
});
