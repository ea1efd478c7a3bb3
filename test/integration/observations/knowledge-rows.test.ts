import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  EVERYTHING,
  NOTHING,
  visibleByDefault,
  type Condition,
  type Reader,
} from '../../../domain/governance/visibility.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { drain, literalExtractor, pipeline, usePreset } from '../extraction/scene.ts';
import { Scene } from './scene.ts';

let scene: Scene;
let account: string;
const peers = new Map<string, string>();
let scopeIds: string[];

beforeAll(async () => {
  scene = await Scene.open();
  account = await scene.account();
  const relay = await scene.caller(account, { key: 'relay' });
  await usePreset(scene, account, 'assisted');
  for (const content of ['as=public I like tea.', 'I like rain.', 'as=personal I like bread.']) {
    await scene.ingest(relay, { peer_key: 'alice', content });
  }
  await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
  // As a person would have placed it.
  await scene.rows(
    `update knowledge set state = 'active' where account_id = $1 and sensitivity = 'personal'`,
    [account],
  );
  await scene.ingest(relay, { peer_key: 'alice', content: 'as=personal I like maps.' });
  await drain(scene, account, pipeline(scene, { extract: literalExtractor }));
  for (const row of await scene.rows('select key, id from peers where account_id = $1', [
    account,
  ])) {
    peers.set(String(row['key']), String(row['id']));
  }
  await scene.caller(account, { key: 'stranger' });
  const [stranger] = await scene.rows("select id from peers where key = 'stranger'");
  peers.set('stranger', String(stranger?.['id']));
  scopeIds = (await scene.rows('select id from scopes where account_id = $1', [account])).map(
    ({ id }) => String(id),
  );
});
afterAll(() => scene.close());

const peer = (key: string): Reader => ({ posture: 'peer', peerId: peers.get(key) ?? '' });
const PUBLIC_ONLY: Reader = { posture: 'public_only' };
const INTERNAL: Reader = { posture: 'internal' };
const now = () => new Date(Date.now() + 1000).toISOString();

async function read(visible: Condition, reader: Reader, asOf: string | null = null) {
  return createInAccount(scene.pool)(account, (stores) =>
    stores.knowledge.read({
      selection: { by: 'listing', limit: 100 },
      visible,
      reader: { reader, scopeIds },
      asOf,
    }),
  );
}

async function listed(reader: Reader, ids = scopeIds) {
  const rows = await read(visibleByDefault({ scopeIds: ids, reader, at: now() }), reader);
  return rows.map(({ statement }) => statement).toSorted();
}

describe('the predicate in SQL', () => {
  test('shows each reader what it may read', async () => {
    const all = ['I like bread.', 'I like maps.', 'I like rain.', 'I like tea.'];
    expect(await listed(peer('alice'))).toEqual(all);
    expect(await listed(peer('relay'))).toEqual(all);
    expect(await listed(INTERNAL)).toEqual(all);
    expect(await listed(peer('stranger'))).toEqual(['I like rain.', 'I like tea.']);
    expect(await listed(PUBLIC_ONLY)).toEqual(['I like tea.']);
    expect(await listed(peer('alice'), [])).toEqual([]);
  });

  test('NOTHING shows no row; EVERYTHING shows the whole account and no other', async () => {
    expect(await read(NOTHING, INTERNAL)).toEqual([]);
    expect(await read(EVERYTHING, INTERNAL)).toHaveLength(4);
    const other = await scene.account();
    const rows = await createInAccount(scene.pool)(other, (stores) =>
      stores.knowledge.read({
        selection: { by: 'listing', limit: 100 },
        visible: EVERYTHING,
        reader: { reader: INTERNAL, scopeIds },
      }),
    );
    expect(rows).toEqual([]);
  });

  test('lists source ids to readers that took part, and the count of sources to all', async () => {
    const visible = visibleByDefault({ scopeIds, reader: peer('stranger'), at: now() });
    const [seen] = await read(visible, peer('stranger'));
    expect(seen).toMatchObject({ source_message_ids: [], source_count: 1, scope_path: '/team' });
    const [own] = await read(visible, peer('alice'));
    expect(own?.source_message_ids).toHaveLength(1);
  });
});

describe('a listing', () => {
  test('by ids keeps the order asked for', async () => {
    const ids = (await read(EVERYTHING, INTERNAL)).map(({ id }) => id).toReversed();
    const rows = await createInAccount(scene.pool)(account, (stores) =>
      stores.knowledge.read({
        selection: { by: 'ids', ids },
        visible: EVERYTHING,
        reader: { reader: INTERNAL, scopeIds },
      }),
    );
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });
});

describe('a past belief', () => {
  test('has the values of its instant and the stricter sensitivity; withdrawn rows are never shown', async () => {
    const [row] = (await read(EVERYTHING, INTERNAL)).filter(
      ({ statement }) => statement === 'I like rain.',
    );
    const then = now();
    await scene.rows(
      `update belief_periods set believed_from = '2026-01-01', believed_until = $2
       where knowledge_id = $1`,
      [row?.id, then],
    );
    await scene.rows(
      "update knowledge set sensitivity = 'personal', state = 'superseded' where id = $1",
      [row?.id],
    );
    const at = (asOf: string, reader: Reader) =>
      read(visibleByDefault({ scopeIds, reader, at: asOf }), reader, asOf);
    const during = '2026-02-01T00:00:00.000Z';
    expect(await at(during, peer('alice'))).toMatchObject([
      { id: row?.id, state: 'active', sensitivity: 'personal' },
    ]);
    expect(await at(during, peer('stranger'))).toEqual([]);
    expect(await at('2025-12-31T00:00:00.000Z', peer('alice'))).toEqual([]);
    const later = await at(new Date(Date.parse(then) + 1000).toISOString(), peer('alice'));
    expect(later.map(({ id }) => id)).not.toContain(row?.id);

    await scene.rows("update knowledge set state = 'redacted' where id = $1", [row?.id]);
    expect(await at(during, peer('alice'))).toEqual([]);
  });
});
