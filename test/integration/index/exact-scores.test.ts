/**
 * Qdrant adds up a score in an order that depends on the segment of a point. Here its segments are built anew because of
 * another account's points, and every score stays as it was.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import {
  exactQuery,
  sparseValue,
  storedValue,
  type SparseVector,
} from '../../../domain/ranking/sparse.ts';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import { randomFrom } from '../../../measure/eval/rank/bootstrap.ts';
import { testServers } from '../../support/environment.ts';
import { dropIndexes } from '../../support/indexes.ts';
import { eventually, HANGS_MS } from '../../support/patience.ts';

const OWN = 1_000;
const FOREIGN = 8_000;
const QUERIES = 60;
const BATCH = 500;

const prefix = `t${randomBytes(5).toString('hex')}`;
const qdrant = createQdrantClient({ ...testServers().qdrant, timeoutMs: HANGS_MS });
afterAll(() => dropIndexes(prefix));

const random = randomFrom(1);

/** So many terms of 5,000, the first ones the commonest. */
function vectorOf(terms: number, valueOf: () => number): SparseVector {
  const values = new Map<number, number>();
  for (let n = 0; n < terms; n += 1) values.set(Math.floor(5_000 * random() ** 3), valueOf());
  const entries = [...values].toSorted(([a], [b]) => a - b);
  return { indices: entries.map(([id]) => id), values: entries.map(([, value]) => value) };
}

const sent = ({ indices, values }: SparseVector) => ({
  indices: [...indices],
  values: [...values],
});

/** The scores of all queries before and after the points of another account. */
async function scoresAround(
  name: string,
  valueOf: (tf: number) => number,
  queryOf: (query: SparseVector) => SparseVector,
) {
  await qdrant.createCollection(name, {
    vectors: {},
    sparse_vectors: { words: {} },
    optimizers_config: { default_segment_number: 8, indexing_threshold: 100 },
  });
  const index = { field_name: 'account', field_schema: 'keyword' } as const;
  await qdrant.createPayloadIndex(name, { ...index, wait: true });
  const add = async (account: string, from: number, amount: number): Promise<void> => {
    for (let at = from; at < from + amount; at += BATCH) {
      const points = Array.from({ length: BATCH }, (_, n) => ({
        id: at + n,
        vector: { words: sent(vectorOf(60, () => valueOf(0.05 + 4 * random()))) },
        payload: { account },
      }));
      await qdrant.upsert(name, { points, wait: true });
    }
  };
  const queries = Array.from({ length: QUERIES }, () =>
    queryOf(vectorOf(40, () => 0.1 + 7 * random())),
  );
  const filter = { must: [{ key: 'account', match: { value: 'own' } }] };
  const ask = async (): Promise<ReadonlyMap<string, number>> => {
    const scores = new Map<string, number>();
    for (const [at, query] of queries.entries()) {
      const asked = { query: sent(query), using: 'words', filter, limit: OWN };
      const { points } = await qdrant.query(name, asked);
      for (const { id, score } of points) scores.set(`${at} ${id}`, score);
    }
    return scores;
  };
  await add('own', 0, OWN);
  const before = await ask();
  await add('other', OWN, FOREIGN);
  await eventually(async () => {
    const { indexed_vectors_count: indexed, status } = await qdrant.getCollection(name);
    return status === 'green' && (indexed ?? 0) > OWN + FOREIGN / 2;
  });
  return { before, after: await ask() };
}

function changed(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): readonly string[] {
  return [...before].filter(([id, score]) => after.get(id) !== score).map(([id]) => id);
}

test('scores stay the same when segments are built anew', async () => {
  const exact = (tf: number): number => storedValue(tf, 30);
  const { after, before } = await scoresAround(`${prefix}_exact`, exact, exactQuery);
  expect(before.size).toBeGreaterThan(QUERIES * 100);
  expect(changed(before, after)).toEqual([]);
});

test('values that stand on no grid show that the order of adding up changes', async () => {
  const asTheyAre = (tf: number): number => sparseValue(tf, 30);
  const { after, before } = await scoresAround(`${prefix}_plain`, asTheyAre, (query) => query);
  expect(after.size).toBe(before.size);
  expect(changed(before, after).length).toBeGreaterThan(0);
});
