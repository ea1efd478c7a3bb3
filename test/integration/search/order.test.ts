/**
 * A ranking depends on what the reader may read, and on nothing else: not on how often the indexes were written, nor on
 * what other accounts hold beside it in the same collection.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { SOURCE_MODES } from '../../../domain/retrieval/source-status.ts';
import { execute } from '../../../operations/execute.ts';
import type { RequestContext } from '../../../operations/operation.ts';
import { rebuildIndex } from '../../../operations/retrieval/index-admin.ts';
import { Directory } from '../../../stores/postgres/identity/directory.ts';
import { asFilter, matches } from '../../../stores/qdrant/filter.ts';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import { testServers } from '../../support/environment.ts';
import { eventually, HANGS_MS } from '../../support/patience.ts';
import { sized } from '../../support/run.ts';
import { addCrowd } from './crowd.ts';
import { putCorpus, QUERIES } from './order-corpus.ts';
import { openSearchScene, type AccountScene, type SearchScene } from './scene.ts';

/** Units of each kind that another account adds, at once or in parts. */
const CROWD = 1_200;
const PARTS = 2;
const ONE_IN = sized({ short: 2, long: 1 });
/** Those that rank by words. */
const PROFILES = ['balanced', 'thorough', 'minimal'] as const;
const READERS = ['anna', 'dora', 'stranger'] as const;
/** Statements rank by their age too, under some profiles: all searches are made at one instant. */
const NOW = new Date();

let scene: SearchScene;
let account: AccountScene;
let expected: readonly Ranking[];

const qdrant = createQdrantClient({ ...testServers().qdrant, timeoutMs: HANGS_MS });

beforeAll(async () => {
  scene = await openSearchScene();
  account = await scene.account();
  await putCorpus(account);
  await account.refresh();
  expected = await rankings(QUERIES);
});
afterAll(() => scene.close());

/** What one search showed: ids with scores, best first. */
interface Ranking {
  readonly query: string;
  readonly asked: string;
  readonly found: readonly (readonly [string, number])[];
}

/** An answer of which no part was late or away: an index that does not answer once is another matter than an order. */
const whole = <Answer extends { readonly degraded: boolean }>(
  ask: () => Promise<Answer>,
): Promise<Answer> =>
  eventually(async () => {
    const answer = await ask();
    return answer.degraded ? null : answer;
  });

async function statementsOf(caller: Caller, query: string, path: string): Promise<Ranking[]> {
  const asking = PROFILES.map(async (profile): Promise<Ranking> => {
    const body = { query, scope_path: path, profile, limit: 30 };
    const settings = { minimalRecall: true } as RequestContext<Caller>['settings'];
    const { candidates } = await whole(() => scene.search(caller, body, { now: NOW, settings }));
    const found = candidates.map(({ fusion_score: score, id }) => [id, score] as const);
    return { query, asked: `${query}, ${profile}`, found };
  });
  return Promise.all(asking);
}

async function messagesOf(caller: Caller, query: string, path: string): Promise<Ranking[]> {
  const asking = SOURCE_MODES.map(async (mode): Promise<Ranking> => {
    const { results } = await scene.sources(caller, { query, scope_path: path, mode, limit: 50 });
    const found = results.map(({ message_id: id, score }) => [id, score] as const);
    return { query, asked: `${query}, ${mode}`, found };
  });
  return Promise.all(asking);
}

/** Of the queries, for every reader, in the lower scope with those above it. */
async function rankings(queries: readonly string[]): Promise<readonly Ranking[]> {
  const all: Ranking[] = [];
  for (const peer of READERS) {
    const caller = await account.caller({ peer });
    for (const query of queries) {
      const lists = await Promise.all(
        [statementsOf, messagesOf].map((search) => search(caller, query, '/poc/work')),
      );
      all.push(...lists.flat().map((one) => ({ ...one, asked: `${peer} ${one.asked}` })));
    }
  }
  return all;
}

let looks = 0;

/** What each look asks again: every query in the long run, every second one in turns in the short run. */
function nextQueries(): readonly string[] {
  looks += 1;
  return QUERIES.filter((_, nth) => (nth + looks) % ONE_IN === 0);
}

const expectedOf = (queries: readonly string[]): readonly Ranking[] =>
  expected.filter(({ query }) => queries.includes(query));

async function expectSameRankings(): Promise<void> {
  const queries = nextQueries();
  expect(await rankings(queries)).toEqual(expectedOf(queries));
}

/** `vouch index rebuild` of an account. */
function rebuild({ id }: AccountScene): Promise<unknown> {
  const context = {
    directory: new Directory(scene.pool),
    indexes: scene.retrieval.indexes,
    signal: new AbortController().signal,
  } as unknown as Parameters<(typeof rebuildIndex)['run']>[0];
  return execute(rebuildIndex, context, { account: `a${id}` });
}

async function collection(): Promise<string> {
  const { collections } = await qdrant.getCollections();
  return collections.find(({ name }) => name.startsWith(`${scene.prefix}_`))?.name ?? '';
}

test('the corpus is found by each query, and differently by different readers', () => {
  const found = (reader: string) =>
    expected.filter(({ asked, found: list }) => asked.startsWith(reader) && list.length > 1).length;
  expect(found('anna')).toBeGreaterThan(QUERIES.length);
  expect(found('dora')).toBeGreaterThan(QUERIES.length);
  expect(found('stranger')).toBeGreaterThan(0);
  for (const query of QUERIES) {
    expect(
      expected.some(({ asked, found: list }) => asked.includes(query) && list.length > 0),
    ).toBe(true);
  }
});

test('a rebuild of the indexes keeps every ranking with its scores', async () => {
  await rebuild(account);
  await expectSameRankings();
});

test('so does a rebuild after all points were lost', async () => {
  const filter = asFilter({ must: [matches('account', account.id)] });
  await qdrant.delete(await collection(), { filter, wait: true });
  const queries = nextQueries();
  expect(await rankings(queries)).not.toEqual(expectedOf(queries));
  await rebuild(account);
  await expectSameRankings();
});

test('so do units of another account, at once and in further segments, and their removal', async () => {
  const other = await scene.account();
  const words = QUERIES.map((query) => query.replaceAll(/["-]/g, ''));
  for (let part = 0; part < PARTS; part += 1) {
    await addCrowd(scene.sql, other, words, CROWD / PARTS);
    // It waits for what a busy index was late with.
    await rebuild(other);
    if (part === 0) {
      // What comes from now on goes to segments that were not there before.
      await qdrant.updateCollection(await collection(), {
        optimizers_config: { default_segment_number: 6, max_segment_size: 1_000 },
      });
    }
    await expectSameRankings();
  }
  const { points_count: points, segments_count: segments } = await qdrant.getCollection(
    await collection(),
  );
  expect(points).toBeGreaterThan(2 * CROWD);
  expect(segments).toBeGreaterThan(1);
  await rebuild(account);
  await expectSameRankings();
  await scene.sql('delete from knowledge_submitters where account_id = $1', [other.id]);
  await scene.sql('delete from belief_periods where account_id = $1', [other.id]);
  await scene.sql('delete from entity_mentions where account_id = $1', [other.id]);
  await scene.sql('delete from knowledge where account_id = $1', [other.id]);
  await scene.sql('delete from messages where account_id = $1', [other.id]);
  await rebuild(other);
  await expectSameRankings();
});
