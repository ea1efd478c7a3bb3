/** What is written with the end of the indexing of statements: in the transaction that settles their marks. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Stores } from '../../../stores/postgres/stores.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { openSearchScene, type SearchScene } from '../search/scene.ts';

const signal = new AbortController().signal;
const NOWHERE = { url: 'http://127.0.0.1:1', apiKey: null };

let scene: SearchScene;
beforeAll(async () => {
  scene = await openSearchScene();
});
afterAll(() => scene.close());
afterEach(() => {
  scene.rebuilt({});
});

async function indexed(
  rebuilt: ReturnType<SearchScene['rebuilt']>,
  alongside: (stores: Stores) => Promise<void>,
) {
  const account = await scene.account();
  const id = await account.statement({ text: 'Basalt columns' });
  const ended = await rebuilt.indexer
    .indexStatements({
      accountId: account.id,
      knowledgeIds: [id],
      timeoutMs: HANGS_MS,
      signal,
      alongside,
    })
    .catch(() => 'failed');
  const marks = await scene.sql(
    `select overdue from dirty_marks where unit_id = $1 and engine = 'qdrant'`,
    [id],
  );
  return { ended, marks };
}

test('is done once Qdrant has acknowledged them, together with the end of their marks', async () => {
  let times = 0;
  const done = await indexed(scene.rebuilt({}), async () => void (times += 1));
  expect([done, times]).toEqual([{ ended: 'acknowledged', marks: [] }, 1]);
});

test('is done together with the marks that say that Qdrant has not', async () => {
  let times = 0;
  const done = await indexed(scene.rebuilt({ qdrant: NOWHERE }), async () => void (times += 1));
  expect([done, times]).toEqual([{ ended: 'overdue', marks: [{ overdue: true }] }, 1]);
});

test('keeps the marks as they are when it fails', async () => {
  for (const parts of [{}, { qdrant: NOWHERE }]) {
    const done = await indexed(scene.rebuilt(parts), () => Promise.reject(new TypeError('defect')));
    expect(done).toEqual({ ended: 'failed', marks: [{ overdue: false }] });
  }
});
