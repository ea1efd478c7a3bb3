/** Which messages stand beside others, where some are said to some of the people alone. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { Scene } from '../observations/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

test('a message takes words of those before and after it that are for the same people', async () => {
  const account = await scene.account();
  const agent = await scene.caller(account, { key: 'agent' });
  const turns = [
    ['one to all', null],
    ['one to bo', ['bo']],
    ['two to all', null],
    ['one to cleo', ['cleo']],
    ['two to bo', ['bo']],
    ['three to all', null],
  ] as const;
  const contents = new Map<string, string>();
  for (const [nth, [content, peers]] of turns.entries()) {
    const { message_id: id } = await scene.ingest(agent, {
      peer_key: 'alice',
      content,
      occurred_at: `2024-01-01T00:0${nth}:00Z`,
      audience: peers && { peers },
    });
    contents.set(id, content);
  }
  const beside = await createInAccount(scene.pool)(account, ({ neighbours }) =>
    neighbours.of([...contents.keys()]),
  );
  const lent = Map.groupBy(beside, (one) => contents.get(one.beside) ?? '');
  const texts = (content: string) => (lent.get(content) ?? []).map((one) => one.content);
  expect(Object.fromEntries([...contents.values()].map((one) => [one, texts(one)]))).toEqual({
    'one to all': ['two to all', 'three to all'],
    'one to bo': ['two to bo'],
    'two to all': ['one to all', 'three to all'],
    'one to cleo': [],
    'two to bo': ['one to bo'],
    'three to all': ['two to all', 'one to all'],
  });
});

test('a message lends no words to one for the same people whose speaker cannot read it', async () => {
  const account = await scene.account();
  const agent = await scene.caller(account, { key: 'agent' });
  const audience = { peers: ['bo'] };
  const said = { occurred_at: '2024-01-01T00:00:00Z', audience };
  await scene.ingest(agent, { ...said, peer_key: 'alice', content: 'a secret for bo' });
  const { message_id: id } = await scene.ingest(agent, {
    ...said,
    peer_key: 'cleo',
    content: 'another one for bo',
    occurred_at: '2024-01-01T00:01:00Z',
  });
  const beside = await createInAccount(scene.pool)(account, ({ neighbours }) =>
    neighbours.of([id]),
  );
  expect(beside.map(({ content, distance }) => [distance, content])).toEqual([[-1, null]]);
});
