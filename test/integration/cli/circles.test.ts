/** `vouch circle` on a real database: what it makes, prints, refuses and records. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createScene, type Scene } from '../identity/scene.ts';
import { commandLine } from './command-line.ts';

let scene: Scene;
let accountId: string;

const { json, refused, vouch } = commandLine(() => scene);
const DESK = ['--scope', '/team', '--name', 'care team'];

beforeAll(async () => {
  scene = await createScene();
  ({ accountId } = await scene.bootstrap());
  for (const key of ['ana', 'ben']) {
    await json(['key', 'create', '--peer', key, '--scope', '/', '--role', 'member']);
  }
});
afterAll(() => scene.close());

test('makes a circle, adds and removes members, shows them, lists it and deletes it', async () => {
  expect((await vouch(['circle', 'list'])).out).toBe('none\n');
  const made = await json(['circle', 'create', ...DESK, '--peer', 'ana', 'ben']);
  expect(made).toMatchObject({ scope_path: '/team', name: 'care team', changed: true });
  expect(await refused(['circle', 'create', ...DESK, '--peer', 'ana'])).toContain(
    'a circle of that name exists',
  );
  expect((await vouch(['circle', 'add', ...DESK, '--peer', 'ana'])).out).toBe(
    'Nothing to do: the circle has 2 members.\n',
  );
  expect((await vouch(['circle', 'remove', ...DESK, '--peer', 'ben'])).out).toBe(
    'The circle has 1 member.\n',
  );
  expect((await vouch(['circle', 'add', ...DESK, '--peer', 'ben', 'ana'])).out).toBe(
    'The circle has 2 members.\n',
  );
  const shown = (await vouch(['circle', 'show', ...DESK])).out;
  expect(shown).toMatch(/peer +added by +added\nana +- +\S+\nben +- /);
  const listed = (await vouch(['circle', 'list', '--scope', '/team'])).out;
  expect(listed).toMatch(new RegExp(`${String(made['id'])} +/team +care team +2 `));
  expect((await vouch(['circle', 'list', '--scope', '/'])).out).toBe('none\n');
  expect((await vouch(['circle', 'delete', ...DESK])).out).toBe('Deleted.\n');
  expect((await vouch(['circle', 'list'])).out).toBe('none\n');
});

test('lists the circles of the account in pages', async () => {
  for (const name of ['a', 'b', 'c']) {
    await json(['circle', 'create', '--scope', `/pages/${name}`, '--name', name]);
  }
  const first = await json(['circle', 'list', '--limit', '2']);
  expect(first).toMatchObject({ circles: [{ name: 'a' }, { name: 'b' }] });
  const rest = await json(['circle', 'list', '--limit', '2', '--after', String(first['next'])]);
  expect(rest).toMatchObject({ circles: [{ name: 'c' }], next: null });
});

test('refuses peers that nobody knows, and circles that are not there', async () => {
  const unknown = ['circle', 'create', ...DESK, '--peer', 'nobody'];
  expect(await refused(unknown)).toContain('This account has no peer with that key.');
  for (const verb of ['show', 'delete']) {
    expect(await refused(['circle', verb, ...DESK])).toContain('Not found.');
  }
  expect(await refused(['circle', 'add', ...DESK, '--peer', 'ana'])).toContain('Not found.');
});

test('is recorded as done at the command line, without the name', async () => {
  await json(['circle', 'create', '--scope', '/team', '--name', 'quinces', '--peer', 'ana']);
  const events = await scene.rows(
    `select action, actor_kind, metadata from audit_events where account_id = $1 and resource_type = 'circle'
     order by id desc limit 2`,
    [accountId],
  );
  expect(events.map(({ action, actor_kind: actor }) => [action, actor])).toEqual([
    ['circle.member_added', 'cli'],
    ['circle.created', 'cli'],
  ]);
  expect(JSON.stringify(events)).not.toContain('quince');
});
