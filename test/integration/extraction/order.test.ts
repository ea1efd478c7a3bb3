/**
 * The same conversation in any order, sent twice, or worked off by two workers, leaves the same statements: on
 * real Postgres and Qdrant, with the built-in extractor and embedder, updates and paraphrases included.
 */
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DatabasePool } from 'slonik';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { BatchProcessor } from '../../../engine/extraction/pipeline.ts';
import { openPool } from '../../../stores/postgres/pool.ts';
import { changingLives, greetings, shuffled, type LifeTurn } from '../../support/changing-lives.ts';
import { SEED, sized } from '../../support/run.ts';
import { Scene } from '../observations/scene.ts';
import { openSearchScene, type SearchScene } from '../search/scene.ts';
import { drain, drainShard, pipeline, SHARDS, usePreset, type PipelineOptions } from './scene.ts';

const TURNS = sized({ short: 240, long: 400 });
const AT_ONCE = 20;
/** A drain after so many turns: merges and updates cross commits. */
const BETWEEN_DRAINS = TURNS / 5;

let scene: Scene;
let indexes: SearchScene;
let secondPool: DatabasePool;
let workers: readonly [BatchProcessor, BatchProcessor];
beforeAll(async () => {
  scene = await Scene.open();
  indexes = await openSearchScene();
  secondPool = await openPool(scene.database.appUrl, { maxPoolSize: 10 });
  const workerOf = (pool: DatabasePool): BatchProcessor => {
    const { indexer, paraphrases } = indexes.rebuilt({ inAccount: createRefusingInAccount(pool) });
    const around: PipelineOptions['around'] = (parts) => ({ ...parts, indexer, paraphrases });
    return pipeline({ pool, rung: scene.rung }, { around });
  };
  workers = [workerOf(scene.pool), workerOf(secondPool)];
});
afterAll(async () => {
  await secondPool.end();
  await indexes.close();
  await scene.close();
});

type Work = (account: string) => Promise<unknown>;

const byOne: Work = (account) => drain(scene, account, workers[0]);

/** Every other mailbox is another worker's, at the same time. */
const byTwo: Work = (account) =>
  Promise.all(
    SHARDS.map((shard) => drainShard(scene, account, shard, workers[shard % 2 === 0 ? 0 : 1])),
  );

async function tell(agent: Caller, turns: readonly LifeTurn[]): Promise<void> {
  for (let from = 0; from < turns.length; from += AT_ONCE) {
    await Promise.all(
      turns.slice(from, from + AT_ONCE).map((turn) => scene.ingest(agent, { ...turn })),
    );
  }
}

/** Everything a reader or a reviewer could tell two runs by, but ids, times of recording and who was asked. */
function outcome(account: string): Promise<Record<string, unknown>[]> {
  return scene.rows(
    `select p.key as subject, encode(k.statement_hash, 'hex') as normalised, k.statement, s.path,
       k.relevant_from, k.relevant_from_precision, k.relevant_until, k.relevant_until_precision,
       k.state, k.target_level, k.sensitivity, k.corroboration_count, k.confidence, k.claim_about, k.claim_mode,
       (select array_agg(encode(t.statement_hash, 'hex') order by 1) from knowledge_paraphrases t
        where t.knowledge_id = k.id) as said_in,
       newer.statement as updated_by, older.statement as supersedes,
       (select array_agg(key order by key) from knowledge_submitters t join peers w on w.id = t.peer_id
        where t.knowledge_id = k.id) as submitters
     from knowledge k join peers p on p.id = k.subject_peer_id join scopes s on s.id = k.scope_id
     left join knowledge newer on newer.id = k.updated_by_id
     left join knowledge older on older.id = k.supersedes_id
     where k.account_id = $1
     order by p.key, k.statement_hash, s.path, k.relevant_from nulls first, k.stated_until nulls first,
       k.relevant_until nulls first`,
    [account],
  );
}

async function run(
  preset: 'strict' | 'assisted',
  turns: readonly LifeTurn[],
  work: Work,
): Promise<Record<string, unknown>[]> {
  const account = await scene.account();
  await usePreset(scene, account, preset);
  const agent = await scene.caller(account, { key: 'agent' });
  await tell(agent, greetings());
  await work(account);
  for (let from = 0; from < turns.length; from += BETWEEN_DRAINS) {
    await tell(agent, turns.slice(from, from + BETWEEN_DRAINS));
    await work(account);
  }
  const [left] = await scene.rows(
    `select count(*)::integer as n from extraction_anchors where account_id = $1 and status <> 'completed'`,
    [account],
  );
  expect(left).toEqual({ n: 0 });
  return outcome(account);
}

describe.each(['strict', 'assisted'] as const)(`under %s, ${TURNS} turns`, (preset) => {
  const turns = changingLives(SEED, TURNS);
  let inOrder: Record<string, unknown>[];
  beforeAll(async () => {
    inOrder = await run(preset, turns, byOne);
  });

  test('update each other in every way', () => {
    const count = (matches: (row: Record<string, unknown>) => boolean): number =>
      inOrder.filter(matches).length;
    expect(inOrder.length).toBeGreaterThan(TURNS / 3);
    expect(count(({ state }) => state === 'superseded')).toBeGreaterThan(TURNS / 40);
    expect(
      count(({ state, updated_by: by }) => state !== 'superseded' && by !== null),
    ).toBeGreaterThan(5);
    expect(count(({ corroboration_count: n }) => Number(n) > 1)).toBeGreaterThan(5);
    expect(count(({ said_in: texts }) => texts !== null)).toBeGreaterThan(0);
    expect(new Set(inOrder.map(({ claim_about: about }) => String(about).split(':')[0]))).toEqual(
      new Set([
        'residence',
        'employer',
        'occupation',
        'age',
        'email',
        'phone',
        'possession',
        'null',
      ]),
    );
  });

  test('leave the same statements in another order', async () => {
    expect(await run(preset, shuffled(turns, SEED + 7), byOne)).toEqual(inOrder);
  });

  test('leave the same statements when all of it is sent twice', async () => {
    expect(await run(preset, [...turns, ...shuffled(turns, SEED + 11)], byOne)).toEqual(inOrder);
  });

  test('leave the same statements when two workers share the work', async () => {
    expect(await run(preset, shuffled(turns, SEED + 13), byTwo)).toEqual(inOrder);
  });
});
