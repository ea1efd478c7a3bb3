/** Keys after a restore: suspended, refused like revoked ones, and resumed by an operator. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createScene, type Scene } from '../identity/scene.ts';
import { commandLine } from './command-line.ts';

let scene: Scene;
let accountId: string;
const { json, refused, vouch } = commandLine(() => scene);

beforeAll(async () => {
  scene = await createScene();
  ({ accountId } = await scene.bootstrap());
});
afterAll(() => scene.close());
beforeEach(() => scene.rows('delete from credentials where kind = $1', ['api_key']));

async function key(peer: string): Promise<{ readonly id: string; readonly secret: string }> {
  const made = await json(['key', 'create', '--peer', peer, '--scope', '/', '--role', 'member']);
  return { id: String(made['id']), secret: String(made['api_key']) };
}

const suspendAll = () =>
  scene.environment.inAccount(accountId, ({ credentials }) =>
    credentials.endAll(new Date(scene.clock)),
  );

/** Whom the key stands for, once a process has forgotten what it remembers of it. */
function callerOf(secret: string) {
  scene.clock += 5_000;
  return scene.environment.authenticate(secret);
}

test('a restored key is suspended once, tokens and sessions end, and nobody is let in', async () => {
  const { id, secret } = await key('ana');
  expect(await callerOf(secret)).not.toBeNull();
  expect((await suspendAll()).suspended).toBe(1);
  expect((await suspendAll()).suspended).toBe(0);
  expect(await callerOf(secret)).toBeNull();
  const { keys } = await json(['key', 'list']);
  expect(keys).toMatchObject([{ id, revoked_at: null, suspended_at: expect.any(String) }]);
  const [live] = await scene.rows(
    "select count(*)::int as tokens from credentials where kind <> 'api_key' and revoked_at is null",
  );
  expect(live).toEqual({ tokens: 0 });
});

test('one key is resumed by its id, again without effect, and the event names it', async () => {
  const [ana, ben] = [await key('ana'), await key('ben')];
  await suspendAll();
  expect((await vouch(['key', 'resume', '--id', ana.id])).out).toBe('Resumed 1 key.\n');
  expect((await vouch(['key', 'resume', '--id', ana.id])).out).toContain('Nothing to do');
  expect([(await callerOf(ana.secret))?.peerKey, await callerOf(ben.secret)]).toEqual([
    'ana',
    null,
  ]);
  const events = await scene.rows(
    "select actor_kind, resource_id from audit_events where action = 'api_key.resumed' order by id",
  );
  expect(events).toEqual([{ actor_kind: 'cli', resource_id: ana.id }]);
});

test('all keys are resumed together, but for those that were revoked meanwhile', async () => {
  const [ana, ben] = [await key('ana'), await key('ben')];
  await suspendAll();
  await json(['key', 'revoke', '--id', ben.id]);
  expect((await vouch(['key', 'resume', '--all'])).out).toBe('Resumed 1 key.\n');
  expect([(await callerOf(ana.secret))?.peerKey, await callerOf(ben.secret)]).toEqual([
    'ana',
    null,
  ]);
});

test('a suspended key is not rotated, and a resume names one key or all', async () => {
  const { id } = await key('ana');
  await suspendAll();
  expect(await refused(['key', 'rotate', '--id', id])).toContain('suspended since a restore');
  for (const options of [[], ['--id', id, '--all']]) {
    expect((await vouch(['key', 'resume', ...options])).code).toBe(2);
  }
  const unknown = '01890000-0000-7000-8000-000000000001';
  expect(await refused(['key', 'resume', '--id', unknown])).toContain('Not found.');
});
