import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import { collectionName, ensureCollection } from '../../../stores/qdrant/collection.ts';
import { PAYLOAD_INDEXES } from '../../../stores/qdrant/point.ts';
import { segmentsFor } from '../../../stores/qdrant/segments.ts';
import { testServers } from '../../support/environment.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { dropIndexes } from '../../support/indexes.ts';

const prefix = `t${randomBytes(5).toString('hex')}`;
const qdrant = () => createQdrantClient({ ...testServers().qdrant, timeoutMs: HANGS_MS });
afterAll(() => dropIndexes(prefix));

test('a collection of an earlier release gets the indexes of this one, and keeps its points', async () => {
  const identity = { prefix, analyzerVersion: 'a1', space: null };
  const name = collectionName(identity);
  await qdrant().createCollection(name, { vectors: {}, sparse_vectors: { words: {} } });
  for (const field of ['account', 'source_messages']) {
    await qdrant().createPayloadIndex(name, {
      field_name: field,
      field_schema: 'keyword',
      wait: true,
    });
  }
  const id = '018f0000-0000-7000-8000-000000000001';
  const points = [{ id, vector: {}, payload: { source_messages: ['m1'] } }];
  await qdrant().upsert(name, { wait: true, points });
  await ensureCollection(qdrant(), identity);
  await ensureCollection(qdrant(), identity);
  const { payload_schema: indexes, config } = await qdrant().getCollection(name);
  expect(Object.keys(indexes).toSorted()).toEqual(Object.keys(PAYLOAD_INDEXES).toSorted());
  expect(config.optimizer_config).toMatchObject({
    max_optimization_threads: 1,
    default_segment_number: 2,
  });
  expect(await qdrant().retrieve(name, { ids: [id] })).toHaveLength(1);
  // It has grown since, or will.
  await ensureCollection(qdrant(), identity, (points) => segmentsFor(points + 300_000));
  const grown = await qdrant().getCollection(name);
  expect(grown.config.optimizer_config).toMatchObject({ default_segment_number: 7 });
});
