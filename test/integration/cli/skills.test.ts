/** `vouch skill` on a real database: what it publishes, prints, refuses and records. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseScopePath, ROOT_PATH } from '../../../domain/scopes/path.ts';
import { createScene, type Scene } from '../identity/scene.ts';
import { commandLine } from './command-line.ts';

let folder: string;
let scene: Scene;
let accountId: string;

const { json, refused, vouch } = commandLine(() => scene);

const fileOf = (card: unknown): string => {
  const path = join(folder, 'card.json');
  writeFileSync(path, typeof card === 'string' ? card : JSON.stringify(card));
  return path;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vouch-skills-'));
  scene = await createScene();
  ({ accountId } = await scene.bootstrap());
  await scene.environment.inAccount(accountId, (stores) =>
    stores.scopes.ensureChain(parseScopePath('/team') ?? ROOT_PATH),
  );
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await scene.close();
});

const CARD = {
  skill: 'trip',
  scope_path: '/team',
  description: 'Trips.',
  requirements: [
    {
      key: 'diet',
      level: 'required',
      source_policy: 'either',
      selector: { kind: 'preference', topic: 'food' },
    },
  ],
};

test('publishes a card, finds it unchanged, and lists, shows and retires it', async () => {
  expect((await vouch(['skill', 'list'])).out).toBe('none\n');
  const first = await json(['skill', 'publish', '--file', fileOf(CARD)]);
  expect(first).toMatchObject({ status: 'published', card: { version: 1, scope_path: '/team' } });
  const id = String(Object(first['card']).id);
  expect((await vouch(['skill', 'publish', '--file', fileOf(CARD)])).out).toBe(
    'Nothing to do: version 1 of trip at /team has the same content.\n',
  );
  const listed = (await vouch(['skill', 'list', '--scope', '/team', '--skill', 'trip'])).out;
  expect(listed).toMatch(new RegExp(`${id} +/team +trip +1 +1`));
  expect((await vouch(['skill', 'list', '--scope', '/'])).out).toBe('none\n');
  expect((await vouch(['skill', 'retire', '--id', id])).out).toBe(
    'Version 1 of trip at /team is retired.\n',
  );
  expect((await vouch(['skill', 'list'])).out).toBe('none\n');
  expect((await vouch(['skill', 'list', '--retired'])).out).toContain(id);
});

test('prints a card as a file that can be published again', async () => {
  const { card } = await json(['skill', 'publish', '--file', fileOf({ ...CARD, skill: 'shown' })]);
  const { out } = await vouch(['skill', 'show', '--id', String(Object(card).id)]);
  expect(await json(['skill', 'publish', '--file', fileOf(out)])).toMatchObject({
    status: 'unchanged',
  });
});

test('publishes a card for a scope that nothing was written to yet', async () => {
  const early = { ...CARD, scope_path: '/early/bird' };
  const published = await json(['skill', 'publish', '--file', fileOf(early)]);
  expect(published).toMatchObject({ status: 'published', card: { scope_path: '/early/bird' } });
});

test('refuses a card with all of its faults in one line', async () => {
  const wrong = { ...CARD, skill: 'No', requirements: [{ key: 'a', level: 'urgent' }] };
  const line = await refused(['skill', 'publish', '--file', fileOf(wrong)]);
  for (const place of ['skill', 'requirements.0.level', 'requirements.0.source_policy']) {
    expect(line).toContain(place);
  }
  const missing = '01990000-0000-7000-8000-000000000000';
  await refused(['skill', 'show', '--id', missing]);
  await refused(['skill', 'retire', '--id', missing]);
});

test('takes a file that holds no JSON object for a mistake of usage', async () => {
  for (const text of ['{', '[]', '7']) {
    const outcome = await vouch(['skill', 'publish', '--file', fileOf(text)]);
    expect(outcome).toMatchObject({ code: 2, out: '' });
  }
});

test('records what was published and retired, in the name of the command line', async () => {
  const recorded = await scene.rows(
    `select category, actor_kind, resource_type, action from audit_events
     where account_id = $1 and resource_type = 'skill_card' order by occurred_at, id`,
    [accountId],
  );
  const event = { category: 'governance', actor_kind: 'cli', resource_type: 'skill_card' };
  expect(recorded).toEqual(
    ['published', 'retired', 'published', 'published'].map((what) => ({
      ...event,
      action: `skill_card.${what}`,
    })),
  );
});
