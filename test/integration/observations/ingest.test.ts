import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

describe('an accepted observation', () => {
  test('is stored with its scopes, anchor, marks and audit event, and its mailboxes are rung', async () => {
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

  test('without a readable time gets the current time', async () => {
    const agent = await scene.caller(await scene.account(), { key: 'agent' });
    const now = new Date('2026-01-02T03:04:05.678Z');
    for (const occurred_at of [undefined, null, 17, '8 May 2023', '2023-02-30']) {
      const answer = await scene.ingest(agent, { occurred_at }, { now });
      expect(answer.occurred_at).toBe('2026-01-02T03:04:05.678Z');
    }
  });

  test('of one MiB is accepted, one byte more is too large', async () => {
    const agent = await scene.caller(await scene.account(), { key: 'agent' });
    const content = 'é'.repeat(524_288);
    await scene.ingest(agent, { content });
    await expect(scene.ingest(agent, { content: `${content}.` })).rejects.toMatchObject({
      code: 'payload_too_large',
    });
  });

  test.each([
    { content: 'a\0b' },
    { content: '\ud800' },
    { content: '  ' },
    { content: 7 },
    { session_id: 7 },
    { session_id: 'a\tb' },
    { peer_key: 'k'.repeat(257) },
    { scope_path: ' ' },
    { scope_path: '/a/../b' },
  ])('with an invalid field is refused (%#)', async (body) => {
    const agent = await scene.caller(await scene.account(), { key: 'agent' });
    await expect(scene.ingest(agent, body)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('needs member at the path, and a path within the pin', async () => {
    const account = await scene.account();
    const reader = await scene.caller(account, { key: 'reader', role: 'reader' });
    await expect(scene.ingest(reader, {})).rejects.toMatchObject({ code: 'forbidden' });
    const pinned = await scene.caller(account, { key: 'pinned', pin: '/team/blue' });
    await expect(scene.ingest(pinned, {})).rejects.toMatchObject({ code: 'forbidden' });
    await scene.ingest(pinned, { scope_path: '/team/blue/x' });
  });
});

describe('an idempotency key', () => {
  test('gives the first answer again, and refuses another body', async () => {
    const account = await scene.account();
    const agent = await scene.caller(account, { key: 'agent' });
    const options = { idempotencyKey: 'once' };
    const first = await scene.ingest(agent, { peer_key: 'alice' }, options);
    // The same request in another spelling, at another time.
    const again = await scene.ingest(
      agent,
      { peer_key: ' alice', scope_path: 'team', role: 'user', occurred_at: 'whenever' },
      options,
    );
    expect(again).toEqual(first);
    await expect(scene.ingest(agent, { peer_key: 'bob' }, options)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await scene.count('select from messages where account_id = $1', [account])).toBe(1);
  });

  test('makes concurrent identical requests one message', async () => {
    const account = await scene.account();
    const agent = await scene.caller(account, { key: 'agent' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => scene.ingest(agent, {}, { idempotencyKey: 'twin' })),
    );
    expect(new Set(answers.map((answer) => answer.message_id)).size).toBe(1);
    expect(await scene.count('select from messages where account_id = $1', [account])).toBe(1);
  });

  test('belongs to one credential', async () => {
    const account = await scene.account();
    const one = await scene.caller(account, { key: 'one' });
    const two = await scene.caller(account, { key: 'two' });
    const options = { idempotencyKey: 'shared' };
    const a = await scene.ingest(one, {}, options);
    const b = await scene.ingest(two, {}, options);
    expect(a.message_id).not.toBe(b.message_id);
  });

  test('of a refused request is not remembered', async () => {
    const agent = await scene.caller(await scene.account(), { key: 'agent' });
    const options = { idempotencyKey: 'later' };
    await expect(scene.ingest(agent, { content: '' }, options)).rejects.toThrow();
    await scene.ingest(agent, {}, options);
  });
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
