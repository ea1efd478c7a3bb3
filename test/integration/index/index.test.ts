import { NOTHING_USED } from '../../../domain/models/usage.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { ANALYZER } from '../../../engine/indexes/units.ts';
import { statementTermIds } from '../../support/statement-terms.ts';
import { createMeilisearchClient } from '../../../stores/meilisearch/client.ts';
import { indexNames } from '../../../stores/meilisearch/indexes.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { idInIndex } from '../../../stores/id-in-index.ts';
import { statementPointId } from '../../../stores/qdrant/point-id.ts';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import { testServers } from '../../support/environment.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { openSearchScene, texts, type AccountScene, type SearchScene } from '../search/scene.ts';

const NOWHERE = { url: 'http://127.0.0.1:9', apiKey: null, masterKey: null };

let scene: SearchScene;
let collection: string;
const signal = new AbortController().signal;
const qdrant = () => createQdrantClient({ ...testServers().qdrant, timeoutMs: HANGS_MS });
const meilisearch = () =>
  createMeilisearchClient({ ...testServers().meilisearch, timeoutMs: HANGS_MS });

beforeAll(async () => {
  scene = await openSearchScene();
  const { collections } = await qdrant().getCollections();
  collection = collections.find(({ name }) => name.startsWith(`${scene.prefix}_`))?.name ?? '';
});

afterAll(() => scene.close());
afterEach(() => {
  scene.rebuilt({});
});

async function plant(
  account: AccountScene,
  statementId: string,
  payload: Record<string, unknown>,
): Promise<void> {
  await qdrant().setPayload(collection, {
    payload,
    points: [statementPointId(account.id, statementId)],
    wait: true,
  });
}

const driftOf = async (account: AccountScene) => {
  const { indexes } = await scene.retrieval.indexes.verify(account.id, signal);
  return indexes
    .filter(({ missing, stale, orphans, pending }) => missing + stale + orphans + pending > 0)
    .map(({ engine, unit, missing, stale, orphans, pending }) => [
      engine,
      unit,
      { missing, stale, orphans, pending },
    ]);
};

describe('a stale index', () => {
  test('hides statements at worst, and never shows one that the reader may not see', async () => {
    const account = await scene.account();
    const hidden = await account.statement({ text: 'Opal is personal', sensitivity: 'personal' });
    const shown = await account.statement({ text: 'Opal is public' });
    await account.refresh();
    await plant(account, hidden, {
      now_sensitivity: 'public',
      now_state: 'active',
      submitters: [await account.peer('carol')],
      subject_peer: await account.peer('carol'),
    });
    await plant(account, shown, { now_scope: uuidv7() });
    const reader = await account.caller({ peer: 'carol' });
    expect((await scene.search(reader, { query: 'opal' })).candidates).toEqual([]);
  });

  test('that files a statement under another account does not show it there', async () => {
    const [one, two] = [await scene.account(), await scene.account()];
    const foreign = await one.statement({ text: 'Jade belongs to one' });
    await one.refresh();
    await plant(one, foreign, { account: two.id, now_scope: await two.scope('/poc') });
    const answer = await scene.search(await two.caller({ peer: 'carol' }), { query: 'jade' });
    expect(answer.candidates).toEqual([]);
  });
});

describe('verification', () => {
  test('reports no drift when the indexes show every unit', async () => {
    const account = await scene.account();
    await account.statement({ text: 'Steel bridges rust' });
    await account.message({ speaker: 'anna', text: 'Steel bridges rust, I read' });
    expect(await driftOf(account)).toHaveLength(4);
    await account.refresh();
    expect(await driftOf(account)).toEqual([]);
    const { withoutVector, indexes } = await scene.retrieval.indexes.verify(account.id, signal);
    expect(withoutVector).toBe(0);
    expect(indexes.map(({ expected, present }) => [expected, present])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  test('finds a planted and a removed row in each index, and a rebuild repairs both', async () => {
    const account = await scene.account();
    const removed = await account.statement({ text: 'Zinc roofs shine' });
    await account.statement({ text: 'Zinc is a metal' });
    await account.refresh();
    await qdrant().delete(collection, {
      points: [statementPointId(account.id, removed)],
      wait: true,
    });
    const index = meilisearch().index(
      indexNames({ prefix: scene.prefix, analyzerVersion: ANALYZER }).statement,
    );
    await index.deleteDocument(idInIndex(account.id, 'statement', removed)).waitTask();
    const planted = uuidv7();
    await qdrant().upsert(collection, {
      wait: true,
      points: [
        {
          id: uuidv7(),
          vector: { words: { indices: [1], values: [1] } },
          payload: { account: account.id, unit: 'statement', source_id: planted, row_version: 1 },
        },
      ],
    });
    await index
      .addDocuments([
        { id: uuidv7(), account: account.id, source_id: planted, row_version: 1, text: 'zinc' },
      ])
      .waitTask();
    const wrong = { missing: 1, stale: 0, orphans: 1, pending: 0 };
    expect(await driftOf(account)).toEqual([
      ['qdrant', 'statement', wrong],
      ['meilisearch', 'statement', wrong],
    ]);
    const report = await scene.retrieval.indexes.rebuild(account.id, null, signal);
    expect(report).toEqual({ units: 2, written: 4, deleted: 0, failed: 0, orphansRemoved: 2 });
    expect(await driftOf(account)).toEqual([]);
  });

  test('finds an older version of a unit; a rebuild of an unknown scope returns null', async () => {
    const account = await scene.account();
    const id = await account.statement({ text: 'Lead is heavy', path: '/one' });
    await account.refresh();
    await scene.sql('update knowledge set row_version = 7 where id = $1', [id]);
    const stale = { missing: 0, stale: 1, orphans: 0, pending: 0 };
    expect(await driftOf(account)).toEqual([
      ['qdrant', 'statement', stale],
      ['meilisearch', 'statement', stale],
    ]);
    const { indexes } = scene.retrieval;
    expect(await indexes.rebuild(account.id, '/two', signal)).toBeNull();
    expect(await indexes.rebuild(account.id, '/one', signal)).toMatchObject({ units: 1 });
    expect(await driftOf(account)).toEqual([]);
  });

  test('a rebuild waits for marks that are due soon, and tells of those that it leaves', async () => {
    const account = await scene.account();
    for (const text of ['Brass bells', 'Brass rings']) await account.statement({ text });
    const putOff = (time: string) =>
      scene.sql(
        `update dirty_marks set available_at = now() + $2::interval
         where account_id = $1 and unit_id = (select min(unit_id::text)::uuid from dirty_marks where account_id = $1)`,
        [account.id, time],
      );
    await account.statement({ text: 'Brass elsewhere', path: '/two' });
    await putOff('1 hour');
    const { indexes } = scene.retrieval;
    const first = await indexes.rebuild(account.id, '/two', signal);
    expect(first).toMatchObject({ units: 1, written: 4, failed: 2 });
    await putOff('300 milliseconds');
    const second = await indexes.rebuild(account.id, '/two', signal);
    expect(second).toMatchObject({ units: 1, written: 4, failed: 0 });
    expect(await driftOf(account)).toEqual([]);
  });

  test('finds a version newer than Postgres, which a rebuild of any scope repairs', async () => {
    const account = await scene.account();
    const id = await account.statement({ text: 'Tungsten filaments', path: '/one' });
    await account.statement({ text: 'Tungsten rings', path: '/two' });
    await account.refresh();
    await plant(account, id, { row_version: 9, now_state: 'rejected' });
    const stale = { missing: 0, stale: 1, orphans: 0, pending: 0 };
    expect(await driftOf(account)).toEqual([['qdrant', 'statement', stale]]);
    await scene.retrieval.indexes.rebuild(account.id, '/two', signal);
    expect(await driftOf(account)).toEqual([]);
    const [point] = await qdrant().retrieve(collection, {
      ids: [statementPointId(account.id, id)],
    });
    expect(point?.payload).toMatchObject({ row_version: 1, source_id: id });
    expect(point?.payload).not.toMatchObject({ now_state: 'rejected' });
  });
});

describe('the indexer', () => {
  test('removes withdrawn and deleted units from both indexes and from the frequencies', async () => {
    const account = await scene.account();
    const scopeId = await account.scope('/poc');
    const withdrawn = await account.statement({ text: 'Mercury thermometers' });
    const deleted = await account.statement({ text: 'Mercury lamps' });
    await account.refresh();
    const units = () =>
      createInAccount(scene.pool)(account.id, (stores) =>
        stores.frequencies.of([scopeId], 'statement', [...statementTermIds(account.id, 'mercury')]),
      );
    expect(await units()).toMatchObject({ units: 2 });
    await scene.sql(`update knowledge set state = 'redacted', row_version = 2 where id = $1`, [
      withdrawn,
    ]);
    await scene.sql('delete from knowledge where id = $1', [deleted]);
    await scene.sql(
      `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
       select $1, e, 'statement', u, $2, 0
       from unnest(enum_range(null::index_engine)) e, unnest($3::uuid[]) u`,
      [account.id, scopeId, [withdrawn, deleted]],
    );
    await account.refresh();
    expect(await driftOf(account)).toEqual([]);
    expect(await units()).toEqual({ units: 0, byTerm: new Map() });
  });

  test('does not let a late write of an older version replace a newer one', async () => {
    const account = await scene.account();
    const id = await account.statement({ text: 'Nickel coins' });
    await account.refresh();
    await plant(account, id, { row_version: 9, now_state: 'rejected' });
    await scene.sql(
      `insert into dirty_marks (account_id, engine, unit, unit_id, scope_id, shard)
       values ($1, 'qdrant', 'statement', $2, $3, 0)`,
      [account.id, id, await account.scope('/poc')],
    );
    await account.refresh();
    const [point] = await qdrant().retrieve(collection, {
      ids: [statementPointId(account.id, id)],
    });
    expect(point?.payload).toMatchObject({ row_version: 9, now_state: 'rejected' });
  });

  test('keeps the mark of a unit that changed while it was written', async () => {
    const account = await scene.account();
    const id = await account.statement({ text: 'Chrome bumpers' });
    await scene.sql('update dirty_marks set generation = 5 where unit_id = $1', [id]);
    const before = scene.rebuilt({
      gateway: {
        embed: async (list) => {
          await scene.sql('update dirty_marks set generation = 6 where unit_id = $1', [id]);
          return {
            vectors: list.map(() => Array.from({ length: 384 }, () => 1)),
            space: { provider: 'deterministic', model: 'built-in', version: '1', dimensions: 384 },
            usage: NOTHING_USED,
          };
        },
      },
    });
    await before.indexer.indexStatements({
      accountId: account.id,
      knowledgeIds: [id],
      timeoutMs: HANGS_MS,
      signal,
    });
    const marks = await scene.sql(
      `select generation::integer from dirty_marks where unit_id = $1 and engine = 'qdrant'`,
      [id],
    );
    expect(marks).toEqual([{ generation: 6 }]);
  });

  test('writes words without vectors while the embedder fails, and keeps the mark for them', async () => {
    const account = await scene.account();
    const id = await account.statement({ text: 'Cobalt glass is blue' });
    scene.rebuilt({
      gateway: {
        embed: async () => {
          const { ModelFailure } = await import('../../../domain/error-class.ts');
          throw new ModelFailure('provider_upstream_error');
        },
      },
    });
    expect(await account.index(id)).toBe('acknowledged');
    scene.rebuilt({});
    const reader = await account.caller({ peer: 'carol' });
    const answer = await scene.search(reader, { query: 'cobalt glass' });
    expect(answer.candidates[0]?.strategies).toEqual(['lexical']);
    expect(answer.degraded).toBe(false);
    await account.refresh();
    const after = await scene.search(reader, { query: 'cobalt glass' });
    expect(after.candidates[0]?.strategies).toEqual(['semantic', 'lexical']);
  });
});

describe('without Qdrant', () => {
  test('statements become overdue, are read from Postgres, and the answer says degraded', async () => {
    const account = await scene.account();
    scene.rebuilt({ qdrant: NOWHERE });
    const id = await account.statement({ text: 'Amber floats in salt water' });
    expect(await account.index(id)).toBe('overdue');
    const reader = await account.caller({ peer: 'carol' });
    const away = await scene.search(reader, { query: 'amber' });
    expect(texts(away)).toEqual(['Amber floats in salt water']);
    expect(away.degraded_components).toEqual(['semantic', 'lexical']);
    expect(away.dropped_strategies).toEqual(['semantic']);
    scene.rebuilt({});
    const back = await scene.search(reader, { query: 'amber' });
    expect(texts(back)).toEqual(['Amber floats in salt water']);
    expect(back.degraded_components).toEqual(['lexical']);
    const stranger = await scene.search(await account.caller({ peer: null, path: '/elsewhere' }), {
      query: 'amber',
    });
    expect([stranger.candidates, stranger.degraded]).toEqual([[], false]);
    await account.refresh();
    expect((await scene.search(reader, { query: 'amber' })).degraded).toBe(false);
  });

  test('an index that does not answer is waited for once, and not again until it answers', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const account = await scene.account();
    const ids = [
      await account.statement({ text: 'Pumice floats' }),
      await account.statement({ text: 'Pumice stones' }),
    ];
    const rebuilt = scene.rebuilt({
      qdrant: { url: `http://127.0.0.1:${port}`, apiKey: null },
      patienceMs: 5_000,
    });
    const index = (id: string | undefined, timeoutMs: number): Promise<string> => {
      const knowledgeIds = id === undefined ? [] : [id];
      return rebuilt.indexer.indexStatements({
        accountId: account.id,
        knowledgeIds,
        timeoutMs,
        signal,
      });
    };
    const started = performance.now();
    expect(await index(ids[0], 2_000)).toBe('overdue');
    expect(performance.now() - started).toBeGreaterThanOrEqual(1_999);
    // A call that waited now would hang.
    expect(await index(ids[1], 3_600_000)).toBe('overdue');
    const reader = await account.caller({ peer: 'carol' });
    const answer = await scene.search(reader, { query: 'pumice' });
    expect(texts(answer)).toHaveLength(2);
    expect(answer.degraded_components).toEqual(['semantic', 'lexical']);
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });

  test('a search looks its words up in Meilisearch, with the same ranking', async () => {
    const account = await scene.account();
    await account.statement({ text: 'Granite cliffs fall into the sea' });
    await account.statement({ text: 'Granite granite everywhere' });
    await account.statement({ text: 'Sandstone walls' });
    await account.statement({ text: 'Granite is a secret', sensitivity: 'personal' });
    await account.refresh();
    const reader = await account.caller({ peer: 'carol' });
    const ranked = await scene.search(reader, { query: 'granite cliffs', min_score: 0.01 });
    scene.rebuilt({ qdrant: NOWHERE });
    const away = await scene.search(reader, { query: 'granite cliffs' });
    expect(texts(away)).toEqual(['Granite cliffs fall into the sea', 'Granite granite everywhere']);
    expect(texts(away)).toEqual(texts(ranked).slice(0, 2));
    expect(away.degraded_components).toEqual(['semantic', 'lexical']);
  });
});

describe('without Meilisearch', () => {
  test('plain questions are unchanged, operators are checked on the texts', async () => {
    const account = await scene.account();
    await account.statement({ text: 'Silver spoons and forks' });
    await account.statement({ text: 'Spoons of silver' });
    await account.refresh();
    scene.rebuilt({ meilisearch: NOWHERE });
    const reader = await account.caller({ peer: 'carol' });
    const plain = await scene.search(reader, { query: 'silver' });
    expect([texts(plain).length, plain.degraded]).toEqual([2, false]);
    const phrase = await scene.search(reader, { query: '"silver spoons"' });
    expect(texts(phrase)).toEqual(['Silver spoons and forks']);
    expect(phrase.degraded_components).toEqual(['lexical']);
    const excluded = await scene.search(reader, { query: 'silver -forks' });
    expect(texts(excluded)).toEqual(['Spoons of silver']);
  });
});
