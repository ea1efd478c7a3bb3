/** A message is found as soon as Qdrant has it, however long Meilisearch takes. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { testServers } from '../../support/environment.ts';
import { startFaultProxy, type FaultProxy } from '../../support/fault-proxy.ts';
import { openSearchScene, texts, type AccountScene, type SearchScene } from '../search/scene.ts';

const signal = new AbortController().signal;
/** Long enough for everything that does not wait for Meilisearch. */
const PATIENCE_MS = 5_000;

let scene: SearchScene;
let meilisearch: FaultProxy;
beforeAll(async () => {
  scene = await openSearchScene();
  meilisearch = await startFaultProxy(testServers().meilisearch.url);
});
afterAll(async () => {
  await meilisearch.close();
  await scene.close();
});
afterEach(() => {
  scene.rebuilt({});
});

const marksOf = async (account: AccountScene): Promise<string[]> => {
  const rows = await scene.sql('select engine from dirty_marks where account_id = $1 order by 1', [
    account.id,
  ]);
  return rows.map((row) => String(row['engine']));
};

function behindTheProxy() {
  return scene.rebuilt({
    meilisearch: { ...testServers().meilisearch, url: meilisearch.url },
    patienceMs: PATIENCE_MS,
  });
}

test('points are done, and searches find them, while Meilisearch hangs; its marks stay for later', async () => {
  const account = await scene.account();
  const { indexer } = behindTheProxy();
  await account.statement({ text: 'Basalt columns stand' });
  await meilisearch.become({ kind: 'hangs' });
  const input = { accountId: account.id, shard: 0, limit: 500, signal };
  const begun = await indexer.beginRefresh(input);
  expect(begun).toMatchObject({ written: 1, failed: 0, trailing: { marks: 1 } });
  expect(await marksOf(account)).toEqual(['meilisearch']);
  const reader = await account.caller({ peer: 'carol' });
  const found = await scene.search(reader, { query: 'basalt' });
  expect(texts(found)).toEqual(['Basalt columns stand']);
  expect(await begun.trailing?.ended).toEqual({ written: 0, deleted: 0, failed: 1 });
  expect(await marksOf(account)).toEqual(['meilisearch']);
});

test('when Meilisearch answers, no mark is left, and verification finds no drift', async () => {
  const account = await scene.account();
  const { indexer, indexes } = behindTheProxy();
  await meilisearch.become({ kind: 'passes' });
  await account.statement({ text: 'Basalt columns stand' });
  await account.message({ speaker: 'anna', text: 'Basalt columns stand, I read' });
  const input = { accountId: account.id, shard: 0, limit: 500, signal };
  const begun = await indexer.beginRefresh(input);
  expect(begun).toMatchObject({ written: 2, trailing: { marks: 2 } });
  expect(await begun.trailing?.ended).toEqual({ written: 2, deleted: 0, failed: 0 });
  expect(await marksOf(account)).toEqual([]);
  const verified = await indexes.verify(account.id, signal);
  for (const index of verified.indexes) {
    expect(index).toMatchObject({ missing: 0, stale: 0, orphans: 0, pending: 0 });
  }
});

test('a batch with much text is not under way beside others', async () => {
  const account = await scene.account();
  const { indexer } = behindTheProxy();
  await meilisearch.become({ kind: 'passes' });
  await account.message({ speaker: 'anna', text: 'Basalt columns stand. '.repeat(15_000) });
  const input = { accountId: account.id, shard: 0, limit: 500, signal };
  expect(await indexer.beginRefresh(input)).toMatchObject({ full: true, trailing: null });
  expect(await marksOf(account)).toEqual([]);
});
