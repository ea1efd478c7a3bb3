/** Who joins a session whole finds statements by words of what was said in it before. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import { asFilter, matches } from '../../../stores/qdrant/filter.ts';
import { testServers } from '../../support/environment.ts';
import { HANGS_MS } from '../../support/patience.ts';
import type { AccountScene } from './account.ts';
import { addCrowd } from './crowd.ts';
import { openSearchScene, type SearchScene } from './scene.ts';

const CANOE = 'Anna owns a canoe';
const BOAT = 'Ben owns a boat';
const HELD = { sensitivity: 'internal', level: 'scope' } as const;
/** More statements than are marked in one transaction. */
const MANY = 620;

let scene: SearchScene;
let account: AccountScene;
/** The message that the statement about the canoe was drawn from. */
let source: string;

beforeAll(async () => {
  scene = await openSearchScene();
});
beforeEach(async () => {
  account = await scene.account();
  const first = await account.message({ speaker: 'ben', text: 'What about the harbour?' });
  for (const key of ['anna', 'ben']) await account.attend(key, first);
  source = await account.message({ speaker: 'anna', text: 'It is green.', after: first });
  await account.drawn(await account.statement({ ...HELD, text: CANOE }), source);
  await account.statement({ ...HELD, text: BOAT });
  await account.refresh();
});
afterAll(() => scene.close());

/** The statements that a peer finds by their words, with their scores. */
async function found(peer: string, query: string) {
  const body = { scope_path: '/poc', query, profile: 'balanced' };
  const { candidates } = await scene.search(await account.caller({ peer }), body);
  return candidates
    .filter(({ strategies }) => strategies.includes('lexical'))
    .map(({ statement, fusion_score: score }) => [statement, score] as const);
}

const texts = (rows: Awaited<ReturnType<typeof found>>) => rows.map(([statement]) => statement);

/** Lets a peer into the session of the source as an observation of a peer does that its own key vouches for. */
async function joinWhole(key: string): Promise<void> {
  await scene.sql(
    `select ensure_places(m.account_id, 1, array(select o from json_populate_recordset(null::sent_observation,
       json_build_array(json_build_object('place', 1, 'caller_peer_id', $3::uuid, 'is_vouched', true,
         'scope_path', scope.path, 'session', s.external_id))) o))
     from messages m join sessions s on s.account_id = m.account_id and s.id = m.session_id
     join scopes scope on scope.account_id = m.account_id and scope.id = m.scope_id
     where m.account_id = $1 and m.id = $2`,
    [account.id, source, await account.peer(key)],
  );
}

/** How many statements of the account the index finds by words of their sources for the peer. */
async function readableBySources(key: string): Promise<number> {
  const qdrant = createQdrantClient({ ...testServers().qdrant, timeoutMs: HANGS_MS });
  const readers = matches('source_readers', await account.peer(key));
  const filter = asFilter({ must: [matches('account', account.id), readers] });
  const { collection } = scene.retrieval.servers.qdrant;
  return (await qdrant.count(collection, { filter, exact: true })).count;
}

describe('a statement', () => {
  test('is found by words of its source by who joined the session of the source, once that is written', async () => {
    expect(texts(await found('carol', 'canoe'))).toEqual([CANOE]);
    expect(await found('carol', 'green')).toEqual([]);
    await joinWhole('carol');
    await account.refresh();
    expect(texts(await found('carol', 'green'))).toEqual([CANOE]);
    expect(texts(await found('carol', 'harbour'))).toEqual([CANOE]);
  });

  test('keeps its place and score for a stranger when somebody joins', async () => {
    const query = 'owns green boat canoe harbour';
    const before = await found('zoe', query);
    expect(texts(before)).toHaveLength(2);
    await joinWhole('carol');
    await account.refresh();
    expect(await found('zoe', query)).toEqual(before);
    expect(await found('zoe', 'green')).toEqual([]);
  });

  test('is not found by them by who joined and reads only what is said from now on', async () => {
    await account.join('carol', source);
    await account.refresh();
    expect(await found('carol', 'green')).toEqual([]);
  });

  test('is written again though a mark of its source was there before', async () => {
    await scene.sql(
      `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
       select account_id, e, 'message', id, scope_id, 0 from messages, unnest(enum_range(null::index_engine)) e
       where account_id = $1`,
      [account.id],
    );
    await joinWhole('carol');
    await account.refresh();
    expect(texts(await found('carol', 'green'))).toEqual([CANOE]);
  });

  test('is written again where the reconcile finds that its source has another reader', async () => {
    await account.attend('carol', source);
    await scene.sql(
      `update messages set recorded_at = recorded_at - interval '10 minutes' where account_id = $1`,
      [account.id],
    );
    const { markMessages } = scene.rebuilt({});
    await markMessages(account.id, new AbortController().signal);
    await account.refresh();
    expect(texts(await found('carol', 'green'))).toEqual([CANOE]);
  });
});

test('of very many statements of one message all are written again, some hundred in a transaction', async () => {
  await addCrowd(scene.sql, account, ['Anna owns an oar.'], MANY);
  await scene.sql(
    `insert into provenance (account_id, knowledge_id, message_id, speaker_peer_id, source_key)
     select k.account_id, k.id, m.id, m.speaker_peer_id, gen_random_uuid()
     from knowledge k join messages m on m.account_id = k.account_id and m.id = $2
     where k.account_id = $1 and k.statement like 'Anna owns an oar%'`,
    [account.id, source],
  );
  await account.refresh();
  expect(await readableBySources('carol')).toBe(0);
  await joinWhole('carol');
  // One batch: the messages, after which the statements are marked.
  await scene.retrieval.indexer.refresh({
    accountId: account.id,
    shard: 0,
    limit: 100,
    signal: new AbortController().signal,
  });
  const [marks] = await scene.sql(
    `select count(*)::int as all, count(distinct xmin::text)::int as transactions
     from dirty_marks where account_id = $1 and unit = 'statement'`,
    [account.id],
  );
  expect(marks).toEqual({ all: MANY + 1, transactions: 2 });
  await account.refresh();
  expect(await readableBySources('carol')).toBe(MANY + 1);
  expect(await readableBySources('zoe')).toBe(0);
});
