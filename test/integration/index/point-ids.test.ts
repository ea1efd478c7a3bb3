import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import { PointIndex } from '../../../stores/qdrant/point-index.ts';
import { statementPointId, statementsOfPoints } from '../../../stores/qdrant/point-id.ts';
import type { Point } from '../../../stores/qdrant/point.ts';
import { testServers } from '../../support/environment.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { openSearchScene, texts, type SearchScene } from '../search/scene.ts';

let scene: SearchScene;
beforeAll(async () => {
  scene = await openSearchScene();
});
afterAll(() => scene.close());

/** A point of the statement, as far as writes look at it. */
function pointOf(accountId: string, statementId: string, scopeId: string): Point {
  const words = { indices: [1], values: [1] };
  const access = { now_scope: scopeId, submitters: [], ever_scope: [], row_version: 1_000 };
  const said = { account: accountId, unit: 'statement', source_id: statementId, order: 1 };
  return { sparse: words, sources: null, dense: null, payload: { ...said, ...access } as never };
}

test('a statement whose id was chosen to meet the point of another account does not replace it', async () => {
  const [owner, other] = [await scene.account(), await scene.account()];
  const own = await owner.statement({ text: 'Larch shingles last for sixty years' });
  await owner.refresh();
  const client = createQdrantClient({ ...testServers().qdrant, timeoutMs: HANGS_MS });
  const { collections } = await client.getCollections();
  const name = collections.find((one) => one.name.startsWith(`${scene.prefix}_`))?.name ?? '';
  const id = statementPointId(owner.id, own);
  const chosen = statementsOfPoints(other.id)(id) ?? '';
  expect(statementPointId(other.id, chosen)).toBe(id);
  await new PointIndex(client, name).upsert(other.id, [pointOf(other.id, chosen, chosen)]);
  const [point] = await client.retrieve(name, { ids: [id] });
  expect(point?.payload).toMatchObject({ account: owner.id, source_id: own });
  const reader = await owner.caller({});
  expect(texts(await scene.search(reader, { query: 'larch shingles' }))).toEqual([
    'Larch shingles last for sixty years',
  ]);
});
