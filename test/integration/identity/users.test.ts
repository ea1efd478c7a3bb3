import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { callerRoleAt } from '../../../domain/identity/caller.ts';
import { ROOT_PATH } from '../../../domain/scopes/path.ts';
import { createAccount } from '../../../operations/identity/accounts.ts';
import { createKey } from '../../../operations/identity/keys.ts';
import { signIn } from '../../../operations/identity/sign-in.ts';
import { createUser, listUsers } from '../../../operations/identity/users.ts';
import { createScene, PASSWORD, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
  await scene.bootstrap();
});
afterAll(() => scene.close());

const user = (rest: Record<string, unknown>) => ({
  name: 'Ana',
  role: 'member',
  scope: '/',
  password: PASSWORD,
  ...rest,
});

describe('a user', () => {
  test('is a peer whose key is the e-mail, with a login and a role', async () => {
    const made = await scene.run(createUser, user({ email: 'Ana@Example.org', role: 'curator' }));
    expect(made).toMatchObject({ peer_key: 'ana@example.org', role: 'curator', scope_path: '/' });
    const { data } = await scene.run(signIn, { email: 'ana@example.org', password: PASSWORD });
    expect(data.peer_id).toBe(made.peer_id);
    const caller = await scene.environment.authenticate(data.token);
    expect(caller !== null && callerRoleAt(caller, ROOT_PATH)).toBe('curator');
    const { users } = await scene.run(listUsers, {});
    expect(users.map(({ email }) => email)).toContain('ana@example.org');
  });

  test('is attached to an existing peer once; the peer keeps its key and name, and it is audited', async () => {
    await scene.run(createKey, { peer: 'bea', scope: '/', role: 'reader' });
    const made = await scene.run(createUser, user({ email: 'bea@example.org', peer: 'bea' }));
    expect(made.peer_key).toBe('bea');
    expect(await scene.rows("select name, kind from peers where key = 'bea'")).toEqual([
      { name: 'bea', kind: 'agent' },
    ]);
    await expect(
      scene.run(createUser, user({ email: 'bea2@example.org', peer: 'bea' })),
    ).rejects.toMatchObject({ code: 'conflict', fields: [{ path: 'peer' }] });
    const attached = await scene.rows(
      "select resource_id from audit_events where action = 'login.attached'",
    );
    expect(attached).toEqual([{ resource_id: made.login_id }]);
  });

  test('is not attached to an existing peer unless asked, and cannot be attached to an unknown one', async () => {
    await scene.run(createKey, { peer: 'cleo@example.org', scope: '/', role: 'reader' });
    await expect(scene.run(createUser, user({ email: 'cleo@example.org' }))).rejects.toMatchObject({
      code: 'conflict',
      fields: [{ path: 'peer' }],
    });
    await expect(
      scene.run(createUser, user({ email: 'dora@example.org', peer: 'dora' })),
    ).rejects.toMatchObject({ code: 'unknown_peer' });
    const logins = await scene.rows("select from logins where email ~ '^(cleo|dora)@'");
    expect(logins).toHaveLength(0);
  });

  test('has an e-mail that no other account of the deployment uses', async () => {
    await scene.run(createAccount, {
      key: 'lab',
      email: 'lab@example.org',
      name: 'Lab',
      password: PASSWORD,
    });
    await scene.run(createUser, user({ email: 'eve@example.org', account: 'lab' }));
    await expect(
      scene.run(createUser, user({ email: 'eve@example.org', account: 'community' })),
    ).rejects.toMatchObject({ code: 'conflict', fields: [{ path: 'email' }] });
  });

  test.each([
    [{ email: 'x' }, 'email'],
    [{ role: 'owner' }, 'role'],
    [{ scope: ' ' }, 'scope'],
    [{ scope: '/a/../b' }, 'scope'],
    [{ password: 'short' }, 'password'],
    [{ name: '' }, 'name'],
  ])('is refused with %j', async (wrong, path) => {
    await expect(
      scene.run(createUser, user({ email: 'g@example.org', account: 'community', ...wrong })),
    ).rejects.toMatchObject({ code: 'invalid_request', fields: [{ path }] });
  });
});
