import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Refusal } from '../../../domain/errors.ts';
import { signIn } from '../../../operations/identity/sign-in.ts';
import { createUser } from '../../../operations/identity/users.ts';
import { createScene, PASSWORD, type Scene } from './scene.ts';

const MINUTE = 60_000;
let scene: Scene;

beforeAll(async () => {
  scene = await createScene();
  await scene.bootstrap();
});
afterAll(() => scene.close());

let people = 0;
/** A new person, without attempts to sign in. */
async function person(): Promise<string> {
  people += 1;
  const email = `person${people}@example.org`;
  await scene.run(createUser, {
    email,
    name: 'P',
    role: 'reader',
    scope: '/',
    password: PASSWORD,
  });
  return email;
}

async function refusal(input: unknown, clientAddress: string | null = null): Promise<Refusal> {
  return scene.run(signIn, input, { clientAddress }).then(
    () => {
      throw new Error('signed in');
    },
    (error: Refusal) => error,
  );
}

describe('sign-in', () => {
  test('answers a bearer token of an hour that stands for the person', async () => {
    const email = await person();
    const { data } = await scene.run(signIn, {
      email: ` ${email.toUpperCase()}`,
      password: PASSWORD,
    });
    expect(data).toMatchObject({
      token_type: 'Bearer',
      expires_at: new Date(scene.clock + 60 * MINUTE).toISOString(),
    });
    expect(await scene.environment.authenticate(data.token)).toMatchObject({
      kind: 'human',
      peerId: data.peer_id,
      peerKey: email,
    });
    scene.clock += 60 * MINUTE;
    expect(await scene.environment.authenticate(data.token)).toBeNull();
  });

  test('refuses a person with a closed login, by password and by token', async () => {
    const email = await person();
    const { data } = await scene.run(signIn, { email, password: PASSWORD });
    await scene.rows('update logins set closed_at = now() where email = $1', [email]);
    expect(await refusal({ email, password: PASSWORD })).toMatchObject({ code: 'unauthorized' });
    expect(await scene.environment.authenticate(data.token)).toBeNull();
  });
});

describe('the limit per e-mail and address', () => {
  test('refuses the eleventh guess, the right password included, until 15 minutes are over', async () => {
    const email = await person();
    for (let guess = 0; guess < 10; guess += 1) {
      expect(await refusal({ email, password: `guess number ${guess}` })).toMatchObject({
        code: 'unauthorized',
      });
      scene.clock += MINUTE;
    }
    const blocked = await refusal({ email, password: PASSWORD });
    expect(blocked).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 * 60 });
    scene.clock += 5 * MINUTE - 1;
    expect(await refusal({ email, password: PASSWORD })).toMatchObject({ code: 'rate_limited' });
    scene.clock += 1;
    expect((await scene.run(signIn, { email, password: PASSWORD })).data.token).toMatch(/^vpt_/);
  });

  test('applies to an unknown e-mail too', async () => {
    const guess = { email: 'ghost@example.org', password: PASSWORD };
    for (let index = 0; index < 10; index += 1) await refusal(guess);
    expect(await refusal(guess)).toMatchObject({ code: 'rate_limited' });
  });

  test('cannot be exceeded by parallel guesses', async () => {
    const email = await person();
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        refusal({ email, password: `guess number ${index}` }),
      ),
    );
    expect(outcomes.filter(({ code }) => code === 'unauthorized')).toHaveLength(10);
    expect(outcomes.filter(({ code }) => code === 'rate_limited')).toHaveLength(20);
  });

  test('leaves the person free to sign in from another address', async () => {
    const email = await person();
    for (let guess = 0; guess < 10; guess += 1) {
      await refusal({ email, password: `guess number ${guess}` }, '198.51.100.1');
    }
    expect(await refusal({ email, password: PASSWORD }, '198.51.100.1')).toMatchObject({
      code: 'rate_limited',
    });
    const signedIn = await scene.run(
      signIn,
      { email, password: PASSWORD },
      { clientAddress: '198.51.100.2' },
    );
    expect(signedIn.data.token).toMatch(/^vpt_/);
  });

  test('does not count successful sign-ins', async () => {
    const email = await person();
    for (let round = 0; round < 12; round += 1) {
      await scene.run(signIn, { email, password: PASSWORD });
    }
  });
});

test('the limit per e-mail covers all addresses, and is the same for an unknown e-mail', async () => {
  for (const email of [await person(), 'nobody-at-all@example.org']) {
    const admit = (n: number) =>
      scene.environment.signInLimits.admit({
        email,
        address: `203.0.113.${n % 20}`,
        now: new Date(scene.clock),
      });
    const admissions = [];
    for (let n = 0; n < 101; n += 1) admissions.push(await admit(n));
    expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(100);
    expect(admissions.at(-1)).toEqual({ admitted: false, retryAfterSeconds: 900 });
    expect(await refusal({ email, password: PASSWORD }, '198.51.100.9')).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 900,
    });
  }
  // The attempts of one e-mail count for no other.
  await scene.run(signIn, { email: await person(), password: PASSWORD });
});

test('the limit per address counts all its attempts, and does not affect other addresses', async () => {
  const email = await person();
  for (let index = 0; index < 100; index += 1) {
    const address = '192.0.2.1';
    const now = new Date(scene.clock);
    const admission = await scene.environment.signInLimits.admit({
      email: `x${index}`,
      address,
      now,
    });
    expect(admission.admitted).toBe(true);
  }
  const input = { email, password: PASSWORD };
  expect(await refusal(input, '192.0.2.1')).toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 900,
  });
  await scene.run(signIn, input, { clientAddress: '192.0.2.2' });
  await scene.run(signIn, input);
});

test('an attempt that the limit refuses waits for no lock and writes nothing', async () => {
  const email = await person();
  for (let guess = 0; guess < 10; guess += 1) {
    await refusal({ email, password: `guess number ${guess}` });
  }
  await scene.rows('begin');
  try {
    // A request that would record an attempt, or delete old ones, waits behind this lock.
    await scene.rows('lock table sign_in_attempts in share mode');
    expect(await refusal({ email, password: PASSWORD })).toMatchObject({ code: 'rate_limited' });
  } finally {
    await scene.rows('rollback');
  }
});

test('an attempt that was aborted before its password was checked is no failure', async () => {
  const email = await person();
  for (let n = 0; n < 12; n += 1) {
    const left = scene.run(
      signIn,
      { email, password: 'wrong horse battery' },
      { signal: AbortSignal.abort() },
    );
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
  }
  await scene.run(signIn, { email, password: PASSWORD });
});

test('expired attempts are deleted one page per later attempt', async () => {
  await scene.rows(
    `insert into sign_in_attempts (id, email_hash, address_hash, succeeded, attempted_at)
     select gen_random_uuid(), decode('00', 'hex'), decode('00', 'hex'), false, '2001-01-01'
     from generate_series(1, 500)`,
  );
  const old = async () =>
    (await scene.rows(`select from sign_in_attempts where attempted_at < '2002-01-01'`)).length;
  const left: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    await refusal({ email: `page${n}@example.org`, password: PASSWORD });
    left.push(await old());
  }
  expect(left).toEqual([300, 100, 0]);
});

test('attempts store neither e-mail nor address, and are deleted after 15 minutes', async () => {
  scene.clock += 16 * MINUTE;
  const email = await person();
  for (let round = 0; round < 3; round += 1) await scene.run(signIn, { email, password: PASSWORD });
  const rows = await scene.rows('select * from sign_in_attempts');
  expect(rows).toHaveLength(3);
  const text = rows.map((row) => Object.values(row).map(String).join(' ')).join(' ');
  expect(text).not.toContain(email);
});
