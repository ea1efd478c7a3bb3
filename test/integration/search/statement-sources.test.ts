/** Statements are found by words of their sources, by those who may read the sources. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AccountScene } from './account.ts';
import { openSearchScene, type SearchScene } from './scene.ts';

let scene: SearchScene;
beforeAll(async () => {
  scene = await openSearchScene();
});
afterAll(() => scene.close());

const CANOE = 'Anna owns a canoe';
const BOAT = 'Ben owns a boat';
const HELD = { sensitivity: 'internal', level: 'scope' } as const;

/** The statements that a peer finds by their words, with their scores. */
async function found(account: AccountScene, peer: string, query: string) {
  const body = { scope_path: '/poc', query, profile: 'balanced', disable_deadline: false };
  const { candidates } = await scene.search(await account.caller({ peer }), body);
  return candidates
    .filter(({ strategies }) => strategies.includes('lexical'))
    .map(({ statement, fusion_score: score }) => [statement, score] as const);
}

interface Conversation {
  readonly account: AccountScene;
  readonly first: string;
  readonly source: string;
}

/** Ben asks, Anna answers; a statement is drawn from the answer. Both read it; Carol does not. */
async function conversation(asked: string, answered: string): Promise<Conversation> {
  const account = await scene.account();
  const first = await account.message({ speaker: 'ben', text: asked });
  for (const key of ['anna', 'ben']) await account.attend(key, first);
  const source = await account.message({ speaker: 'anna', text: answered, after: first });
  const id = await account.statement({ ...HELD, text: CANOE });
  await account.drawn(id, source);
  await account.statement({ ...HELD, text: BOAT });
  await account.refresh();
  return { account, first, source };
}

const texts = (rows: Awaited<ReturnType<typeof found>>) => rows.map(([statement]) => statement);

test('a reader of its source finds a statement by words of the source and of the turn before it', async () => {
  const { account } = await conversation('What about the harbour?', 'It is green and I own it.');
  expect(texts(await found(account, 'anna', 'green'))).toEqual([CANOE]);
  expect(texts(await found(account, 'ben', 'harbour'))).toEqual([CANOE]);
});

test('whoever does not read the source finds nothing by its words', async () => {
  const { account } = await conversation('What about the harbour?', 'It is green and I own it.');
  expect(await found(account, 'carol', 'green')).toEqual([]);
  expect(await found(account, 'carol', 'harbour')).toEqual([]);
});

test('to whoever does not read the source, order and scores are those without its words', async () => {
  const query = 'owns green boat canoe harbour';
  const said = await conversation('What about the harbour?', 'It is green and I own it.');
  const silent = await conversation('So?', 'Yes.');
  const scores = await found(said.account, 'carol', query);
  expect(texts(scores)).toHaveLength(2);
  expect(scores).toEqual(await found(silent.account, 'carol', query));
  expect(await found(said.account, 'anna', query)).not.toEqual(
    await found(silent.account, 'anna', query),
  );
});

test('a read of the past knows the own words of statements alone', async () => {
  const { account } = await conversation('What about the harbour?', 'It is green and I own it.');
  const asOf = new Date().toISOString();
  const body = { scope_path: '/poc', query: 'green', profile: 'balanced', as_of: asOf };
  const { candidates } = await scene.search(await account.caller({ peer: 'anna' }), body);
  expect(candidates.filter(({ strategies }) => strategies.includes('lexical'))).toEqual([]);
});

test('a statement that was moved to another scope than its source keeps its own words alone', async () => {
  const { account } = await conversation('What about the harbour?', 'It is green and I own it.');
  const scopeId = await account.scope('/');
  await scene.sql(
    `update knowledge set scope_id = $2, row_version = row_version + 1 where account_id = $1 and statement = $3`,
    [account.id, scopeId, CANOE],
  );
  await scene.sql(
    `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
     select $1, e, 'statement', id, $2, 0 from knowledge, unnest(enum_range(null::index_engine)) e
     where account_id = $1 and statement = $3`,
    [account.id, scopeId, CANOE],
  );
  await account.refresh();
  expect(texts(await found(account, 'anna', 'green'))).toEqual([]);
});

test('a turn that arrives late and was said before the source lends its words', async () => {
  const { account, first } = await conversation(
    'What about the harbour?',
    'It is green and I own it.',
  );
  expect(await found(account, 'anna', 'festival')).toEqual([]);
  const [row] = await scene.sql('select occurred_at::text as at from messages where id = $1', [
    first,
  ]);
  await account.message({
    speaker: 'ben',
    text: 'I was at a festival.',
    after: first,
    occurredAt: String(row?.['at']),
  });
  await account.refresh();
  expect(texts(await found(account, 'anna', 'festival'))).toEqual([CANOE]);
});

test('in a chat with an assistant a statement has its own words alone', async () => {
  const account = await scene.account();
  const first = await account.message({
    speaker: 'helper',
    text: 'How can I help?',
    role: 'assistant',
  });
  await account.attend('anna', first);
  const source = await account.message({
    speaker: 'anna',
    text: 'My canoe is green.',
    after: first,
  });
  await account.drawn(await account.statement({ ...HELD, text: CANOE }), source);
  await account.refresh();
  expect(await found(account, 'anna', 'green')).toEqual([]);
  expect(texts(await found(account, 'anna', 'canoe'))).toEqual([CANOE]);
});

test('a long turn of an assistant, before or after it, leaves a statement its own words alone', async () => {
  const long = `It rains. ${'It rains on the coast. '.repeat(500)}`;
  const account = await scene.account();
  const first = await account.message({ speaker: 'anna', text: 'My canoe is green.' });
  await account.attend('anna', first);
  await account.drawn(await account.statement({ ...HELD, text: CANOE }), first);
  await account.refresh();
  // Nothing tells yet that an assistant will answer.
  expect(texts(await found(account, 'anna', 'green'))).toEqual([CANOE]);
  const answer = { speaker: 'helper', role: 'assistant', text: long, after: first };
  await account.message(answer);
  const second = await account.message({ speaker: 'anna', text: 'My boat is blue.', after: first });
  await account.drawn(await account.statement({ ...HELD, text: BOAT }), second);
  await account.refresh();
  expect(await found(account, 'anna', 'green')).toEqual([]);
  expect(await found(account, 'anna', 'blue')).toEqual([]);
});
