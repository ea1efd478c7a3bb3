import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

test('an accepted observation is stored with its scopes, anchor, marks and audit event, and its mailboxes are rung', async () => {
  const account = await scene.account();
  const agent = await scene.caller(account, { key: 'agent' });
  scene.rung.length = 0;
  const answer = await scene.ingest(agent, {
    peer_key: 'alice',
    scope_path: 'team//blue/',
    occurred_at: '2023-05-08T13:56:00+02:00',
  });
  expect(answer).toEqual({
    message_id: expect.any(String),
    status: 'accepted',
    occurred_at: '2023-05-08T11:56:00.000Z',
  });
  const paths = await scene.rows('select path from scopes where account_id = $1 order by path', [
    account,
  ]);
  expect(paths.map((row) => row['path'])).toEqual(['/', '/team', '/team/blue']);
  const [anchor] = await scene.rows(
    `select a.status, m.occurred_offset_minutes, a.shard from extraction_anchors a
       join messages m on m.id = a.message_id where a.message_id = $1`,
    [answer.message_id],
  );
  expect(anchor).toMatchObject({ status: 'pending', occurred_offset_minutes: 120 });
  expect(
    await scene.rows('select engine from dirty_marks where unit_id = $1 order by engine', [
      answer.message_id,
    ]),
  ).toEqual([{ engine: 'qdrant' }, { engine: 'meilisearch' }]);
  expect(
    await scene.count('select from audit_events where resource_id = $1', [answer.message_id]),
  ).toBe(1);
  const shard = anchor?.['shard'];
  expect(scene.rung).toEqual([
    { accountId: account, kind: 'ingest', shard },
    { accountId: account, kind: 'projection', shard },
  ]);
});

test('concurrent first messages of a new scope, session and speaker create each of them once', async () => {
  const account = await scene.account();
  const agent = await scene.caller(account, { key: 'agent' });
  await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      scene.ingest(agent, { scope_path: '/a/b/c', session_id: 'new', peer_key: `p${n % 2}` }),
    ),
  );
  const counted = async (table: string): Promise<number> =>
    scene.count(`select from ${table} where account_id = $1`, [account]);
  expect(await counted('messages')).toBe(12);
  expect(await counted('scopes')).toBe(4);
  expect(await counted('sessions')).toBe(1);
  expect(await counted('peers')).toBe(3);
});
