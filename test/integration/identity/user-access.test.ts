/** What ends a person's access, and what of it comes back. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addGrant, listGrants } from '../../../operations/identity/grants.ts';
import { createKey, listKeys } from '../../../operations/identity/keys.ts';
import { listPeers } from '../../../operations/identity/peers.ts';
import { signIn } from '../../../operations/identity/sign-in.ts';
import {
  changePassword,
  disableUser,
  enableUser,
  removeUser,
} from '../../../operations/identity/user-access.ts';
import { createUser, listUsers } from '../../../operations/identity/users.ts';
import { createScene, PASSWORD, type Scene } from './scene.ts';

const PAST_THE_CACHE_MS = 5_000;
const OTHER_PASSWORD = 'battery horse correct';
let scene: Scene;

beforeAll(async () => {
  scene = await createScene();
  await scene.bootstrap();
});
afterAll(() => scene.close());

/** A person who is signed in, with an API key of the same peer. */
async function person(name: string) {
  const email = `${name}@example.org`;
  const made = await scene.run(createUser, {
    email,
    name,
    role: 'member',
    scope: '/',
    password: PASSWORD,
  });
  const key = await scene.run(createKey, { peer: email, scope: '/', role: 'member' });
  return { email, key, peerId: made.peer_id, token: await tokenOf(email) };
}

async function tokenOf(email: string, password = PASSWORD): Promise<string> {
  const { data } = await scene.run(signIn, { email, password });
  return data.token;
}

/** Whether each of these is good once nothing is remembered any more. */
async function areGood(...bearers: readonly string[]): Promise<boolean[]> {
  scene.clock += PAST_THE_CACHE_MS;
  const callers = await Promise.all(
    bearers.map((bearer) => scene.environment.authenticate(bearer)),
  );
  return callers.map((caller) => caller !== null);
}

const code = (expected: string, path?: string) =>
  path === undefined
    ? expect.objectContaining({ code: expected })
    : expect.objectContaining({
        code: expected,
        fields: [expect.objectContaining({ path, message: expect.any(String) })],
      });

async function actionsOn(resource: string): Promise<unknown[]> {
  const events = await scene.rows(
    'select action from audit_events where resource_id = $1 order by occurred_at, id',
    [resource],
  );
  return events.map(({ action }) => action);
}

describe('another password', () => {
  test('ends the tokens of the login, leaves its keys, and is the one to sign in with', async () => {
    const ana = await person('ana');
    const changed = await scene.run(changePassword, {
      email: 'ANA@example.org',
      password: OTHER_PASSWORD,
    });
    expect(changed).toMatchObject({ peer_id: ana.peerId, closed_at: null });
    expect(await areGood(ana.token, ana.key.api_key)).toEqual([false, true]);
    await expect(tokenOf(ana.email)).rejects.toEqual(code('unauthorized'));
    expect(await areGood(await tokenOf(ana.email, OTHER_PASSWORD))).toEqual([true]);
    expect(await actionsOn(changed.login_id)).toContain('login.password_changed');
  });

  test('ends a sign-in whose old password was checked before, and whose token comes after', async () => {
    const { email } = await person('bea');
    const { passwords } = scene.environment;
    const late = scene.run(
      signIn,
      { email, password: PASSWORD },
      {
        passwords: {
          ...passwords,
          async verify(...given) {
            const matches = await passwords.verify(...given);
            await scene.run(changePassword, { email, password: OTHER_PASSWORD });
            return matches;
          },
        },
      },
    );
    await expect(late).rejects.toEqual(code('unauthorized'));
  });

  test('ends a token that is written at the same moment', async () => {
    const { email } = await person('cleo');
    const [token] = await Promise.all([
      tokenOf(email).catch(() => null),
      scene.run(changePassword, { email, password: OTHER_PASSWORD }),
    ]);
    if (token !== null) expect(await areGood(token)).toEqual([false]);
    const live = await scene.rows(
      `select c.id from credentials c join logins l on l.id = c.login_id
       where l.email = $1 and c.login_epoch = l.epoch`,
      [email],
    );
    expect(live).toEqual([]);
  });

  test('must be long enough, and needs a login of this account', async () => {
    await expect(
      scene.run(changePassword, { email: 'ana@example.org', password: 'short' }),
    ).rejects.toEqual(code('invalid_request', 'password'));
    await expect(
      scene.run(changePassword, { email: 'nobody@example.org', password: OTHER_PASSWORD }),
    ).rejects.toEqual(code('not_found', 'email'));
  });
});

describe('a disabled person', () => {
  test('is refused with every credential, and comes back without the old tokens', async () => {
    const dan = await person('dan');
    const disabled = await scene.run(disableUser, { email: dan.email });
    expect(disabled.changed).toBe(true);
    expect(await areGood(dan.token, dan.key.api_key)).toEqual([false, false]);
    await expect(tokenOf(dan.email)).rejects.toEqual(code('unauthorized'));
    expect((await scene.run(disableUser, { email: dan.email })).changed).toBe(false);

    expect((await scene.run(enableUser, { email: dan.email })).changed).toBe(true);
    expect((await scene.run(enableUser, { email: dan.email })).changed).toBe(false);
    expect(await areGood(dan.token, dan.key.api_key, await tokenOf(dan.email))).toEqual([
      false,
      true,
      true,
    ]);
    const actions = await actionsOn(disabled.login_id);
    expect(actions.filter((action) => action === 'login.disabled')).toHaveLength(1);
    expect(actions.filter((action) => action === 'login.enabled')).toHaveLength(1);
  });

  test('stays disabled with another password', async () => {
    const { email } = await person('eve');
    await scene.run(disableUser, { email });
    const changed = await scene.run(changePassword, { email, password: OTHER_PASSWORD });
    expect(changed.closed_at).not.toBeNull();
    await expect(tokenOf(email, OTHER_PASSWORD)).rejects.toEqual(code('unauthorized'));
  });
});

describe('a removed person', () => {
  test('has no login, key or role any more; the peer and what is denied to it stay', async () => {
    const fay = await person('fay');
    const grant = { peer: fay.email, role: 'reader' };
    await scene.run(addGrant, { ...grant, scope: '/team' });
    const denied = await scene.run(addGrant, { ...grant, scope: '/secret', effect: 'deny' });
    const removed = await scene.run(removeUser, { email: fay.email });
    expect(removed).toMatchObject({ peer_id: fay.peerId, keys_revoked: 1, grants_removed: 2 });
    expect(await areGood(fay.token, fay.key.api_key)).toEqual([false, false]);
    await expect(tokenOf(fay.email)).rejects.toEqual(code('unauthorized'));
    await expect(scene.run(removeUser, { email: fay.email })).rejects.toEqual(
      code('not_found', 'email'),
    );
    const { grants } = await scene.run(listGrants, { peer: fay.email });
    expect(grants.map(({ id }) => id)).toEqual([denied.id]);
    const { users } = await scene.run(listUsers, {});
    expect(users.map(({ email }) => email)).not.toContain(fay.email);
    const { peers } = await scene.run(listPeers, {});
    expect(peers.find(({ key }) => key === fay.email)).toMatchObject({
      id: fay.peerId,
      has_login: false,
      is_erased: false,
    });
    expect(await actionsOn(removed.login_id)).toEqual([
      'login.created',
      'login.signed_in',
      'login.removed',
    ]);
    expect(await actionsOn(fay.key.id)).toEqual(['api_key.created', 'credential.revoked']);
  });

  test('may be given a login again, which opens nothing of the one before', async () => {
    const gus = await person('gus');
    await scene.run(removeUser, { email: gus.email });
    const again = await scene.run(createUser, {
      email: gus.email,
      name: 'Gus',
      role: 'reader',
      scope: '/',
      password: PASSWORD,
      peer: gus.email,
    });
    expect(again.peer_id).toBe(gus.peerId);
    expect(await areGood(gus.token, gus.key.api_key, await tokenOf(gus.email))).toEqual([
      false,
      false,
      true,
    ]);
  });
});

test('no word of a person is in the audit events of all this', async () => {
  const text = JSON.stringify(await scene.rows('select action, metadata from audit_events'));
  for (const word of ['example.org', 'ana', 'team', 'secret', 'horse', 'vch_', 'vpt_', '$argon2']) {
    expect(text.toLowerCase()).not.toContain(word === 'secret' ? '/secret' : word);
  }
});

test('lists come in pages that leave nothing out and repeat nothing', async () => {
  for (const [operation, member] of [
    [listUsers, 'users'],
    [listKeys, 'keys'],
    [listGrants, 'grants'],
    [listPeers, 'peers'],
  ] as const) {
    const all: unknown = await scene.run(operation, {});
    const seen: unknown[] = [];
    let after: string | null | undefined;
    do {
      const page = await scene.run(operation, after ? { after, limit: 2 } : { limit: 2 });
      seen.push(...Object(page)[member]);
      after = page.next;
    } while (after !== null);
    expect([member, seen]).toEqual([member, Object(all)[member]]);
    expect(seen.length).toBeGreaterThan(4);
  }
});
