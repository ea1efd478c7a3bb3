/** Keys and grants as the authenticated caller sees them: pin, expiry, revocation, holders. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { callerRoleAt, mayWriteAt, type Caller } from '../../../domain/identity/caller.ts';
import { parseScopePath, type ScopePath } from '../../../domain/scopes/path.ts';
import { addGrant, listGrants, removeGrant } from '../../../operations/identity/grants.ts';
import { createKey, revokeKey } from '../../../operations/identity/keys.ts';
import { createScene, type Scene } from './scene.ts';

function path(text: string): ScopePath {
  const parsed = parseScopePath(text);
  if (parsed === null) throw new Error('not a path');
  return parsed;
}

const PAST_THE_CACHE_MS = 5_000;
let scene: Scene;

beforeAll(async () => {
  scene = await createScene();
  await scene.bootstrap();
});
afterAll(() => scene.close());

async function known(bearer: string): Promise<Caller> {
  const caller = await scene.environment.authenticate(bearer);
  if (caller === null) throw new Error('unknown credential');
  return caller;
}

function keyWithoutPeer(scope: string) {
  return scene.run(createKey, { peer: null, scope, role: 'member' });
}

describe('a key', () => {
  test('makes its peer, of kind agent, and a propagating grant when absent', async () => {
    const input = { peer: 'scout', scope: '/team', role: 'member' };
    const key = await scene.run(createKey, input);
    expect(key).toMatchObject({
      peer_key: 'scout',
      scope_path: '/team',
      role: 'member',
      pin_path: null,
      expires_at: null,
    });
    const caller = await known(key.api_key);
    expect(caller).toMatchObject({ kind: 'machine', peerKey: 'scout', credentialId: key.id });
    expect(callerRoleAt(caller, path('/team/new'))).toBe('member');
    expect(callerRoleAt(caller, path('/'))).toBeNull();

    await scene.run(createKey, input);
    const { grants } = await scene.run(listGrants, {});
    expect(grants.filter(({ peer_key }) => peer_key === 'scout')).toHaveLength(1);
    expect(await scene.rows("select kind from peers where key = 'scout'")).toEqual([
      { kind: 'agent' },
    ]);
  });

  test('with an expiry ends at that instant', async () => {
    const key = await scene.run(createKey, {
      peer: 'brief',
      scope: '/',
      role: 'reader',
      expires_in_seconds: 60,
    });
    expect(key.expires_at).toBe(new Date(scene.clock + 60_000).toISOString());
    scene.clock += 59_999;
    expect(await scene.environment.authenticate(key.api_key)).not.toBeNull();
    scene.clock += 1;
    expect(await scene.environment.authenticate(key.api_key)).toBeNull();
  });

  test('that is revoked authenticates no more after 5 seconds, and is not revoked twice', async () => {
    const key = await scene.run(createKey, { peer: 'gone', scope: '/', role: 'member' });
    await known(key.api_key);
    expect(await scene.run(revokeKey, { id: key.id })).toEqual({ id: key.id, changed: true });
    scene.clock += PAST_THE_CACHE_MS;
    expect(await scene.environment.authenticate(key.api_key)).toBeNull();
    expect(await scene.run(revokeKey, { id: key.id })).toEqual({ id: key.id, changed: false });
  });

  test.each(['not-an-id', '0198c8c8-0000-7000-8000-000000000000'])(
    'of the id %s cannot be revoked',
    async (id) => {
      await expect(scene.run(revokeKey, { id })).rejects.toThrow();
    },
  );

  test('without a peer has grants of its own, and two such keys share none', async () => {
    const [first, second] = [await keyWithoutPeer('/one'), await keyWithoutPeer('/two')];
    const callers = [await known(first.api_key), await known(second.api_key)];
    expect(callers.map(({ peerId, peerKey }) => [peerId, peerKey])).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(callers.map((caller) => mayWriteAt(caller, path('/one')))).toEqual([true, false]);
    expect(callers.map((caller) => mayWriteAt(caller, path('/two')))).toEqual([false, true]);
  });

  test('must be created with a peer or explicitly without one', async () => {
    await expect(scene.run(createKey, { scope: '/', role: 'member' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('a grant', () => {
  let apiKey: string;
  beforeEach(async () => {
    const key = await scene.run(createKey, { peer: 'holder', scope: '/held', role: 'member' });
    apiKey = key.api_key;
  });

  test('that denies takes effect within 5 seconds, and its removal too', async () => {
    await known(apiKey);
    const denied = await scene.run(addGrant, {
      peer: 'holder',
      scope: '/held/secret',
      role: 'reader',
      effect: 'deny',
    });
    scene.clock += PAST_THE_CACHE_MS;
    const narrowed = await known(apiKey);
    expect(callerRoleAt(narrowed, path('/held/secret/x'))).toBeNull();
    expect(callerRoleAt(narrowed, path('/held'))).toBe('member');
    await scene.run(removeGrant, { id: denied.id });
    scene.clock += PAST_THE_CACHE_MS;
    expect(callerRoleAt(await known(apiKey), path('/held/secret/x'))).toBe('member');
  });

  test('that is added twice exists once', async () => {
    const grant = { peer: 'holder', scope: '/twice', role: 'account-admin' };
    const first = await scene.run(addGrant, grant);
    const second = await scene.run(addGrant, grant);
    expect([first.changed, second.changed]).toEqual([true, false]);
    expect(second.id).toBe(first.id);
    expect(first.role).toBe('account-admin');
  });
});

test('the audit events of keys and grants hold ids, roles and codes, never a key, name or path', async () => {
  const events = await scene.rows('select action, metadata from audit_events');
  const actions = new Set(events.map(({ action }) => action));
  for (const action of ['api_key.created', 'credential.revoked', 'grant.added', 'grant.removed']) {
    expect(actions).toContain(action);
  }
  const text = JSON.stringify(events);
  for (const word of ['scout', 'holder', '/team', '/held', 'vch_', 'example.org']) {
    expect(text).not.toContain(word);
  }
});
