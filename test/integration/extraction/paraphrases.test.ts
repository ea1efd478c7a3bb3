/** What says the same in other words is one statement: on real Postgres and Qdrant, with an embedder that knows three verbs. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DatabasePool } from 'slonik';
import type { Caller } from '../../../domain/identity/caller.ts';
import { ModelFailure } from '../../../domain/error-class.ts';
import type { RetrievalDependencies } from '../../../runtime/container/retrieval-dependencies.ts';
import { openPool } from '../../../stores/postgres/pool.ts';
import { Scene } from '../observations/scene.ts';
import { openSearchScene, type SearchScene } from '../search/scene.ts';
import { embeddingWorker } from './embedding-worker.ts';
import {
  drain,
  drainShard,
  literalExtractor,
  SHARDS,
  usePreset,
  type PipelineOptions,
} from './scene.ts';

let scene: Scene;
let indexes: SearchScene;
let secondPool: DatabasePool;
beforeAll(async () => {
  scene = await Scene.open();
  indexes = await openSearchScene();
  secondPool = await openPool(scene.database.appUrl, { maxPoolSize: 10 });
});
afterAll(async () => {
  await secondPool.end();
  await indexes.close();
  await scene.close();
});

const worker = (
  pool: DatabasePool,
  replaced: Partial<RetrievalDependencies> = {},
  between?: PipelineOptions['around'],
) => embeddingWorker(scene, indexes, pool, replaced, literalExtractor, between);

async function home(preset: 'strict' | 'assisted' = 'strict') {
  const account = await scene.account();
  await usePreset(scene, account, preset);
  return { account, agent: await scene.caller(account, { key: 'agent' }) };
}

let minutes = 0;
const said = (agent: Caller, content: string, values: Readonly<Record<string, unknown>> = {}) => {
  minutes += 1;
  const occurred_at = new Date(Date.UTC(2024, 0, 1) + minutes * 60_000).toISOString();
  const common = { session_id: 's', scope_path: '/team', peer_key: 'ada', occurred_at };
  return scene.ingest(agent, { ...common, content, ...values });
};

const held = (account: string) =>
  scene.rows(
    `select k.statement, k.corroboration_count as attested,
       (select count(*)::integer from provenance p where p.knowledge_id = k.id) as sources,
       (select count(*)::integer from knowledge_paraphrases p where p.knowledge_id = k.id) as texts
     from knowledge k where k.account_id = $1 order by 1`,
    [account],
  );

const ONE = [{ statement: 'ada likes tea', attested: 1, sources: 2, texts: 2 }];
const APART = [
  { statement: 'ada enjoys tea', attested: 1, sources: 1, texts: 0 },
  { statement: 'ada likes tea', attested: 1, sources: 1, texts: 0 },
];

/** A statement of yesterday that the index was never given. */
async function sayUnindexed(account: string, agent: Caller, content: string): Promise<void> {
  await said(agent, content);
  const indexer = { indexStatements: () => Promise.resolve('overdue' as const) };
  await drain(scene, account, worker(scene.pool, {}, (parts) => ({ ...parts, indexer })).processor);
  await scene.admin.query(
    `update knowledge set recorded_at = recorded_at - interval '1 day' where account_id = $1`,
    [account],
  );
}

describe('a paraphrase of a statement', () => {
  test('in a later drain merges into the statement, which keeps its words', async () => {
    const { account, agent } = await home();
    const { processor, events } = worker(scene.pool);
    for (const text of ['ada likes tea', 'ada enjoys tea']) {
      await said(agent, text);
      await drain(scene, account, processor);
    }
    expect(await held(account)).toEqual(ONE);
    expect(events).toEqual([]);
  });

  test('of an old statement that is found through the index merges into it', async () => {
    const { account, agent } = await home();
    await said(agent, 'ada likes tea');
    await drain(scene, account, worker(scene.pool).processor);
    await scene.admin.query(
      `update knowledge set recorded_at = recorded_at - interval '1 day' where account_id = $1`,
      [account],
    );
    await said(agent, 'ada enjoys tea');
    await drain(scene, account, worker(secondPool).processor);
    expect(await held(account)).toEqual(ONE);
  });

  test('of an old statement that still waits for the index merges into it', async () => {
    const { account, agent } = await home();
    await sayUnindexed(account, agent, 'ada likes tea');
    await said(agent, 'ada enjoys tea');
    await drain(scene, account, worker(secondPool).processor);
    expect(await held(account)).toEqual(ONE);
  });

  test('of an old statement that is written to the index just after the index was asked merges into it', async () => {
    const { account, agent } = await home();
    await sayUnindexed(account, agent, 'ada likes tea');
    await said(agent, 'ada enjoys tea');
    const { processor } = worker(secondPool, {}, ({ paraphrases, ...parts }) => ({
      ...parts,
      paraphrases: paraphrases && {
        around: async (...asked) => {
          const near = await paraphrases.around(...asked);
          await scene.admin.query('delete from dirty_marks where account_id = $1', [account]);
          return near;
        },
      },
    }));
    await drain(scene, account, processor);
    expect(await held(account)).toEqual(ONE);
  });

  test('in the same batch merges into the statement', async () => {
    const { account, agent } = await home();
    await said(agent, 'ada likes tea');
    await said(agent, 'ada enjoys tea');
    await drain(scene, account, worker(scene.pool).processor);
    expect(await held(account)).toEqual(ONE);
  });

  test('in concurrent drains of two workers merges into the statement', async () => {
    const { account, agent } = await home();
    const workers = [worker(scene.pool), worker(secondPool)] as const;
    const things = ['tea', 'rain', 'owls', 'jazz', 'maps', 'moss', 'salt', 'chess'];
    for (const thing of things) {
      await Promise.all(
        ['likes', 'enjoys', 'adores'].map((verb, n) =>
          said(agent, `ada ${verb} ${thing}`, { session_id: `${thing}-${n}` }),
        ),
      );
      await Promise.all(
        SHARDS.map((shard) =>
          drainShard(scene, account, shard, workers[shard % 2 === 0 ? 0 : 1].processor),
        ),
      );
    }
    const rows = await held(account);
    expect(rows).toHaveLength(things.length);
    expect(rows.every(({ sources, texts }) => sources === 3 && texts === 3)).toBe(true);
    expect(workers.flatMap(({ events }) => events)).toEqual([]);
  });

  test('by a speaker who cannot read the statement is a statement of its own', async () => {
    const { account, agent } = await home();
    const { processor } = worker(scene.pool);
    await said(agent, 'ada likes tea');
    await drain(scene, account, processor);
    await said(agent, 'about=ada ada enjoys tea', { peer_key: 'bo', session_id: 's' });
    await drain(scene, account, processor);
    expect(await held(account)).toEqual(APART);
  });

  test('by a speaker who can read the statement corroborates it', async () => {
    const { account, agent } = await home('assisted');
    const { processor } = worker(scene.pool);
    await said(agent, 'ada likes tea');
    await drain(scene, account, processor);
    await said(agent, 'about=ada ada enjoys tea', { peer_key: 'bo', session_id: 's' });
    await drain(scene, account, processor);
    expect(await held(account)).toEqual([
      { statement: 'ada likes tea', attested: 2, sources: 2, texts: 2 },
    ]);
  });
});

describe('a text that was said again', () => {
  test('in words that were merged before finds its statement without an embedder', async () => {
    const { account, agent } = await home();
    await said(agent, 'ada likes tea');
    await said(agent, 'ada enjoys tea');
    await drain(scene, account, worker(scene.pool).processor);
    await said(agent, 'ada enjoys tea');
    await drain(scene, account, worker(scene.pool, { paraphraseCosine: null }).processor);
    expect(await held(account)).toEqual([{ ...ONE[0], sources: 3 }]);
  });

  test('costs no second embedding: each text is embedded once', async () => {
    const { account, agent } = await home();
    const { embedded, processor } = worker(scene.pool);
    for (const text of ['ada likes tea', 'ada enjoys tea', 'ada likes rain']) {
      await said(agent, text);
      await drain(scene, account, processor);
    }
    expect(embedded.toSorted()).toEqual(['ada enjoys tea', 'ada likes rain', 'ada likes tea']);
  });
});

describe('when paraphrases cannot be compared', () => {
  test.each<[string, Partial<RetrievalDependencies>, string[]]>([
    ['the index is away', { qdrant: { url: 'http://127.0.0.1:9', apiKey: null } }, ['away']],
    [
      'the embedder fails',
      {
        gateway: {
          embed: () => Promise.reject(new ModelFailure('transport_error')),
        },
      },
      ['transport_error'],
    ],
    ['it is switched off', { paraphraseCosine: null }, []],
  ])(
    'because %s, both statements are kept, and an event tells a failure',
    async (_why, replaced, reasons) => {
      const { account, agent } = await home();
      const { processor, events } = worker(scene.pool, replaced);
      for (const text of ['ada likes tea', 'ada enjoys tea']) {
        await said(agent, text);
        await drain(scene, account, processor);
      }
      expect(await held(account)).toEqual(APART);
      const told = events.filter((event) => event.startsWith('extraction.'));
      const expected = reasons.map((reason) => `extraction.paraphrases_unknown ${reason}`);
      expect([...new Set(told)]).toEqual(expected);
    },
  );
});
