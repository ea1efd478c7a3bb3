/** `POST /api/v1/stable-profile`, and the same profile in a search. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestAccount } from '../support/account.ts';
import { candidatesOf, dataOf, startService, type Body, type Service } from '../support/service.ts';
import { refusal } from './answers.ts';

const PATH = '/api/v1/stable-profile';

let service: Service;
let account: TestAccount;
let agent: string;
let told = 0;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  told += 1;
  account = await service.account(`profile-${told}`);
  await account.preset('unattended');
  agent = (await account.agent('agent')).token;
});

async function say(content: string, changes: Body = {}) {
  const body = { session_id: `s${told}`, peer_key: 'ines', peer_name: 'Ines', content };
  return service.ingestAndWait(agent, { ...body, ...changes });
}

const profile = async (body: Body = {}, token = agent): Promise<Body> => {
  const json = { scope_path: '/team', peer_key: 'ines', ...body };
  return dataOf(await service.call({ path: PATH, token, json }));
};
const items = ({ items: all }: Body): readonly Body[] => (Array.isArray(all) ? all : []);
const shownItems = (found: Body) =>
  items(found).map(({ category, statement }) => [category, statement]);

test('shows what the reader has said plainly about itself, with its sources', async () => {
  const { messageId } = await say('I live in Bergen.');
  await say('I am a nurse.');
  await say('I like tea.');
  const found = await profile();
  expect(shownItems(found)).toEqual([
    ['occupation', 'Ines is a nurse.'],
    ['location', 'Ines lives in Bergen.'],
  ]);
  expect(items(found)[1]).toEqual({
    knowledge_id: expect.any(String),
    statement: 'Ines lives in Bergen.',
    category: 'location',
    conflict_group: null,
    lineage: { source_references: [{ type: 'message', id: messageId }], truncated: false },
  });
  expect(found).toMatchObject({
    projection_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    diagnostic: {
      status: 'ready',
      considered: 3,
      eligible: 2,
      returned: 2,
      excluded: { preference: 1, inferred: 0 },
      truncated: { items: 0, category: 0, characters: 0, statements: 0 },
      model_calls: 0,
    },
  });
  expect(JSON.stringify(found['diagnostic'])).not.toContain('tea');
});

test('has another digest exactly when an item changes', async () => {
  await say('I live in Bergen.');
  const { projection_digest: first } = await profile();
  expect((await profile())['projection_digest']).toBe(first);
  await say('I like tea.');
  expect((await profile())['projection_digest']).toBe(first);
  await say('I am a nurse.');
  expect((await profile())['projection_digest']).not.toBe(first);
});

test('is empty for a reader that is no peer, and for one of whom nothing is known', async () => {
  await say('I live in Bergen.');
  await say('Hello.', { peer_key: 'bo' });
  const empty = { items: [], diagnostic: { status: 'empty', considered: 0 } };
  expect(await profile({ peer_key: 'bo' })).toMatchObject(empty);
  const { token: keyless } = await account.agent(null);
  expect(await profile({ peer_key: null }, keyless)).toMatchObject(empty);
});

test('refuses a reader that does not exist', async () => {
  const json = { scope_path: '/team', peer_key: 'nobody' };
  expect(refusal(await service.call({ path: PATH, token: agent, json }))).toEqual([
    422,
    'unknown_peer',
  ]);
});

describe('in a search', () => {
  const search = async (body: Body = {}): Promise<Body> => {
    const asked = { query: 'boat', scope_path: '/team', peer_key: 'ines', ...body };
    return dataOf(await service.search(agent, asked));
  };

  test('stands beside candidates that it does not change', async () => {
    await say('I live in Bergen.');
    await say('I own a boat.');
    const without = await search();
    expect(without).toMatchObject({ identity_profile_status: 'not_requested' });
    expect(without).not.toHaveProperty('identity_profile');
    const found = await search({ include_identity_profile: true });
    expect(found['identity_profile_status']).toBe('ready');
    expect(found['identity_profile']).toEqual(await profile());
    const asked = { query: 'boat', scope_path: '/team', peer_key: 'ines' };
    const plain = candidatesOf(await service.search(agent, asked));
    const beside = candidatesOf(
      await service.search(agent, { ...asked, include_identity_profile: true }),
    );
    expect(beside).toEqual(plain);
  });

  test('is empty where nothing is known of the reader', async () => {
    await say('Hello.');
    expect(await search({ include_identity_profile: true })).toMatchObject({
      identity_profile_status: 'empty',
      identity_profile: { items: [] },
    });
  });
});
