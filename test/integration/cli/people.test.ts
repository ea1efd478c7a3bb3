/** People, keys and grants at the command line: what each command prints, answers and refuses. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createScene, PASSWORD, type Scene } from '../identity/scene.ts';
import { commandLine } from './command-line.ts';

const ADMIN = 'admin@example.org';
const OTHER_PASSWORD = 'battery horse correct';
const NOWHERE = '0198c8c8-0000-7000-8000-000000000000';
let scene: Scene;

beforeAll(async () => {
  scene = await createScene();
  await scene.bootstrap();
});
afterAll(() => scene.close());

const { json, vouch } = commandLine(() => scene);

let people = 0;
/** A new person's e-mail address. */
async function person(): Promise<string> {
  people += 1;
  const email = `p${people}@example.org`;
  const who = ['--email', email, '--name', 'P', '--role', 'member', '--scope', '/'];
  await json(['user', 'create', ...who, '--password-stdin'], PASSWORD);
  return email;
}

const signsIn = async (email: string, password: string): Promise<boolean> => {
  const login = await scene.environment.directory.loginByEmail(email);
  if (login === null) return false;
  const found = await scene.environment.inAccount(login.accountId, ({ logins }) =>
    logins.findOpen(login.loginId),
  );
  const { signal } = new AbortController();
  return scene.environment.passwords.verify(found?.password_hash ?? null, password, signal);
};

describe('vouch user', () => {
  test('password reads the new password from standard input and never shows it', async () => {
    const email = await person();
    const args = ['user', 'password', '--email', email, '--password-stdin'];
    expect(await vouch(args, `${OTHER_PASSWORD}\n`)).toEqual({
      code: 0,
      out: 'The password is changed. All tokens and browser sessions of the login have ended.\n',
      err: '',
    });
    expect(await signsIn(email, OTHER_PASSWORD)).toBe(true);
    const answer = await json(args, PASSWORD);
    expect(answer).toEqual({
      login_id: expect.any(String),
      peer_id: expect.any(String),
      closed_at: null,
    });
    const short = await vouch(args, 'short');
    expect([short.code, short.out]).toEqual([1, '']);
    expect(short.err).toMatch(/^vouch: .*password: must have 12 to 1024 characters.*\n$/);
  });

  test('disable and enable say when there was nothing to do', async () => {
    const email = await person();
    const disable = ['user', 'disable', '--email', email];
    const enable = ['user', 'enable', '--email', email];
    expect((await vouch(enable)).out).toMatch(/^Nothing to do/);
    expect((await vouch(disable)).out).toMatch(/^Disabled/);
    expect((await vouch(disable)).out).toMatch(/^Nothing to do/);
    expect((await vouch(['user', 'list'])).out).toMatch(new RegExp(`${email} .*Z +\\S+Z\n`));
    const password = ['user', 'password', '--email', email, '--password-stdin'];
    expect((await vouch(password, PASSWORD)).out).toMatch(/still disabled/);
    expect(await json(enable)).toMatchObject({ changed: true });
    expect(await json(enable)).toMatchObject({ changed: false });
    expect(await signsIn(email, PASSWORD)).toBe(true);
  });

  test('remove ends the login, and the address is free again', async () => {
    const email = await person();
    const remove = ['user', 'remove', '--email', email];
    await json(['key', 'create', '--peer', email, '--scope', '/', '--role', 'reader']);
    expect(await json(remove)).toMatchObject({ keys_revoked: 1, grants_removed: 2 });
    const again = await vouch(remove);
    expect([again.code, again.out]).toEqual([1, '']);
    expect(again.err).toMatch(/email: no login of this account has this e-mail address/);
    expect((await vouch(['user', 'list'])).out).not.toContain(email);
    const who = ['--email', email, '--name', 'P', '--role', 'member', '--scope', '/'];
    await json(['user', 'create', ...who, '--peer', email, '--password-stdin'], PASSWORD);
  });

  test.each(['disable', 'remove'])('%s refuses the last administrator', async (verb) => {
    const outcome = await vouch(['user', verb, '--email', ADMIN]);
    expect([outcome.code, outcome.out]).toEqual([1, '']);
    expect(outcome.err).toMatch(/^vouch: .*email: this is the last administrator.*\n$/);
  });
});

describe('vouch grant', () => {
  test('change gives another role, says when it is the same, and keeps the last administrator', async () => {
    const email = await person();
    const { grants } = await json(['grant', 'list', '--peer', email]);
    expect(grants).toHaveLength(1);
    const [grant] = grants as { id: string }[];
    const change = ['grant', 'change', '--id', grant?.id ?? '', '--role'];
    expect(await json([...change, 'curator'])).toMatchObject({ role: 'curator', changed: true });
    expect((await vouch([...change, 'curator'])).out).toBe(
      'Nothing to do: the role is already curator.\n',
    );
    await json(['grant', 'add', '--peer', email, '--scope', '/', '--role', 'reader']);
    const twin = await vouch([...change, 'reader']);
    expect([twin.code, twin.err]).toEqual([1, expect.stringMatching(/role: another grant/)]);
    const missing = await vouch(['grant', 'change', '--id', NOWHERE, '--role', 'reader']);
    expect(missing).toEqual({ code: 1, out: '', err: 'vouch: Not found.\n' });
    const events = await scene.rows(
      "select metadata from audit_events where action = 'grant.changed' and resource_id = $1",
      [grant?.id],
    );
    expect(events).toEqual([
      {
        metadata: expect.objectContaining({ role: 'curator', role_before: 'member' }),
      },
    ]);
    const admin = await json(['grant', 'list', '--peer', ADMIN]);
    const [root] = admin['grants'] as { id: string }[];
    const last = await vouch(['grant', 'change', '--id', root?.id ?? '', '--role', 'curator']);
    expect([last.code, last.err]).toEqual([1, expect.stringMatching(/last administrator/)]);
  });
});

describe('vouch key', () => {
  const create = ['key', 'create', '--scope', '/', '--role', 'member'];
  const authenticate = async (key: unknown) => {
    scene.clock += 5_000;
    return scene.environment.authenticate(String(key));
  };

  test('rotate replaces a key by one with the same peer, grants and pin', async () => {
    const old = await json([...create, '--peer', 'bot', '--pin', '/team', '--expires-in', '90d']);
    const next = await json(['key', 'rotate', '--id', String(old['id'])]);
    expect(next).toMatchObject({
      replaces: old['id'],
      pin_path: '/team',
      expires_at: old['expires_at'],
    });
    expect(await authenticate(old['api_key'])).toBeNull();
    expect(await authenticate(next['api_key'])).toMatchObject({
      peerKey: 'bot',
      pinPath: '/team',
      grants: [{ scopePath: '/', role: 'member' }],
    });
    const again = await vouch(['key', 'rotate', '--id', String(old['id'])]);
    expect([again.code, again.err]).toEqual([1, expect.stringMatching(/id: this key is revoked/)]);
    const events = await scene.rows(
      "select metadata from audit_events where action = 'api_key.rotated' and resource_id = $1",
      [next['id']],
    );
    expect(events).toEqual([{ metadata: expect.objectContaining({ replaces: old['id'] }) }]);
  });

  test('rotate lets the old key go on for a while when it is told to', async () => {
    const old = await json([...create, '--no-peer']);
    const rotate = ['key', 'rotate', '--id', String(old['id']), '--grace', '1h'];
    const next = await json([...rotate, '--expires-in', '30d']);
    expect(next['expires_at']).toBe(new Date(scene.clock + 30 * 86_400_000).toISOString());
    expect(next['replaced_until']).toBe(new Date(scene.clock + 3_600_000).toISOString());
    for (const key of [old, next]) {
      expect(await authenticate(key['api_key'])).toMatchObject({
        grants: [{ scopePath: '/', role: 'member' }],
      });
    }
    scene.clock += 3_600_000;
    expect(await authenticate(old['api_key'])).toBeNull();
    expect(await authenticate(next['api_key'])).not.toBeNull();
  });

  test('list shows the keys of one peer, in pages', async () => {
    for (const _ of [1, 2, 3]) await json([...create, '--peer', 'lister']);
    const list = ['key', 'list', '--peer', 'lister', '--limit', '2'];
    const first = await json(list);
    expect(first['keys']).toHaveLength(2);
    const second = await json([...list, '--after', String(first['next'])]);
    expect([Object(second['keys']).length, second['next']]).toEqual([1, null]);
    expect((await vouch(list)).out).toMatch(/There may be more: add --after '[0-9a-f-]{36}'\n$/);
    const unknown = await vouch(['key', 'list', '--peer', 'nobody']);
    expect([unknown.code, unknown.out]).toEqual([1, '']);
  });
});

test('vouch peer list shows who is known, and who can sign in', async () => {
  const email = await person();
  const { peers } = await json(['peer', 'list']);
  expect(peers).toContainEqual(
    expect.objectContaining({ key: email, kind: 'human', has_login: true, is_erased: false }),
  );
  const listed = await vouch(['peer', 'list', '--limit', '1']);
  expect(listed.out).toMatch(/^key +name +kind +created +signs in +erased\n[^\n]+\nThere may be/);
});

test.each([
  [['user', 'password', '--email', ADMIN]],
  [['user', 'password', '--email', ADMIN, '--password', OTHER_PASSWORD]],
  [['user', 'password', '--password-stdin']],
  [['user', 'disable']],
  [['user', 'enable']],
  [['user', 'remove']],
  [['user', 'list', '--limit', '0']],
  [['user', 'list', '--limit', 'many']],
  [['key', 'rotate']],
  [['key', 'rotate', '--id', NOWHERE, '--grace', 'soon']],
  [['grant', 'change', '--id', NOWHERE]],
  [['grant', 'change', '--id', NOWHERE, '--role', 'owner']],
  [['peer', 'list', 'extra']],
])('answers 2 and changes nothing when it is called as %j', async (args) => {
  const outcome = await vouch(args);
  expect(outcome).toMatchObject({ code: 2, out: '' });
  expect(outcome.err).not.toBe('');
});

test.each([
  [['key', 'rotate', '--id', 'not-an-id'], 'id: must be the id of a key'],
  [['key', 'rotate', '--id', NOWHERE, '--grace', '8d'], 'grace_seconds: must be at most 604800'],
  [['grant', 'remove', '--id', 'not-an-id'], 'id: must be the id of a grant'],
  [['grant', 'list', '--after', 'not-an-id'], 'after: must be the id of a row'],
  [['user', 'disable', '--email', 'nobody'], 'email: must be an e-mail address'],
])('answers 1 with one line when %j is refused', async (args, why) => {
  const outcome = await vouch(args);
  expect([outcome.code, outcome.out]).toEqual([1, '']);
  expect(outcome.err).toContain(why);
  expect(outcome.err.split('\n')).toHaveLength(2);
});
