import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isAccountAdmin } from '../../../domain/identity/caller.ts';
import { presetRules } from '../../../domain/governance/presets.ts';
import { createAccount, listAccounts } from '../../../operations/identity/accounts.ts';
import { bootstrap } from '../../../operations/identity/bootstrap.ts';
import { listRules } from '../../../operations/governance/operator-rules.ts';
import { createScene, PASSWORD, type Scene } from './scene.ts';

const INPUT = { email: 'Admin@Example.org', password: PASSWORD };

describe('bootstrap', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await createScene();
  });
  afterAll(() => scene.close());

  test('makes one account when several run at once, and the later ones report it', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 3 }, () => scene.run(bootstrap, INPUT)),
    );
    expect(outcomes.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await scene.run(bootstrap, { ...INPUT, account: 'other' })).toEqual({
      changed: false,
      account_id: null,
      account_key: null,
      peer_id: null,
      token: null,
      expires_at: null,
    });
    const { accounts } = await scene.run(listAccounts, {});
    expect(accounts).toMatchObject([{ key: 'community', gate_preset: 'strict' }]);

    const made = outcomes.find(({ changed }) => changed);
    const caller = await scene.environment.authenticate(made?.token ?? '');
    expect(caller).toMatchObject({ kind: 'human', peerKey: 'admin@example.org', pinPath: null });
    expect(caller !== null && isAccountAdmin(caller)).toBe(true);
    expect(made?.expires_at).toBe(new Date(scene.clock + 12 * 3_600_000).toISOString());
  });

  test('creates the root scope, the rules of its preset and audit events', async () => {
    expect(await scene.rows('select path from scopes')).toEqual([{ path: '/' }]);
    const { rules } = await scene.run(listRules, {});
    expect(rules).toHaveLength(presetRules('strict').length);
    expect(new Set(rules.map(({ gate_a }) => gate_a))).toEqual(new Set(['human']));
    const events = await scene.rows('select action, actor_kind from audit_events order by action');
    expect(events.map(({ action }) => action)).toEqual([
      'account.created',
      'bootstrap_token.issued',
      'grant.added',
      'login.created',
    ]);
    expect(new Set(events.map(({ actor_kind }) => actor_kind))).toEqual(new Set(['cli']));
  });

  test('keeps neither password nor token, only their hashes', async () => {
    const [login] = await scene.rows('select password_hash from logins');
    expect(login?.['password_hash']).toMatch(/^\$argon2id\$/);
    const [credential] = await scene.rows('select * from credentials');
    expect(JSON.stringify(credential)).not.toContain('vpt_');
  });

  test.each([
    [{ ...INPUT, email: 'nobody' }, 'email'],
    [{ ...INPUT, password: 'too short' }, 'password'],
    [{ ...INPUT, account: ' ' }, 'account'],
  ])('refuses a field that cannot be', async (input, path) => {
    await expect(scene.run(bootstrap, input)).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ path }],
    });
  });

  test('a further account has its own root and administrator, and its key and e-mail are its own', async () => {
    const further = { key: 'lab', email: 'lab@example.org', name: 'Lab', password: PASSWORD };
    expect(await scene.run(createAccount, further)).toMatchObject({ key: 'lab' });
    await expect(
      scene.run(createAccount, { ...further, email: 'other@example.org' }),
    ).rejects.toMatchObject({ code: 'conflict', fields: [{ path: 'account' }] });
    await expect(scene.run(createAccount, { ...further, key: 'lab2' })).rejects.toMatchObject({
      code: 'conflict',
      fields: [{ path: 'email' }],
    });
    const { accounts } = await scene.run(listAccounts, {});
    expect(accounts.map(({ key }) => key)).toEqual(['community', 'lab']);
  });
});

test('a deployment set to unattended gives the first account the unattended preset', async () => {
  const scene = await createScene({ unattended: true });
  try {
    await scene.bootstrap();
    expect((await scene.run(listRules, {})).preset).toBe('unattended');
  } finally {
    await scene.close();
  }
});
