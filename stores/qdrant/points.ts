/** The points of one collection: reading and writing as one index. */
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { PointIndex } from './point-index.ts';
import { createPointReader } from './point-reader.ts';
import { createPointWriter } from './point-writer.ts';

/** The points of `collection`, which `ensureCollection` made. */
export function createPointIndex(client: QdrantClient, collection: string): PointIndex {
  return {
    collection,
    ...createPointReader(client, collection),
    ...createPointWriter(client, collection),
  };
}
