/** Signing in, and how long a credential is good. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PASSWORD } from '../support/account.ts';
import {
  closeWithoutErrors,
  dataOf,
  startOwnService,
  type Body,
  type OwnService,
} from '../support/service.ts';
import { exactly, refusal } from './answers.ts';

const HOUR_MS = 3_600_000;

let service: OwnService;

const signIn = (json: unknown) => service.call({ path: '/api/auth/password', json });
const open = (token: string) => service.knowledge(token);

let startedAt: number;
let readyAt: number;

beforeAll(async () => {
  startedAt = Date.now();
  service = await startOwnService();
  readyAt = Date.now();
});

afterAll(() => closeWithoutErrors(service));

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

  test.each([
    [{ email: 'a@b.example' }, 'password'],
    [{ email: 'a@b.example', password: null }, 'password'],
    [{ password: PASSWORD }, 'email'],
    [{ email: 7, password: PASSWORD }, 'email'],
  ])('%j is 422 and names the field', async (body, field) => {
    expect(refusal(await signIn(body))).toEqual([422, 'invalid_request', field]);
  });

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
});
