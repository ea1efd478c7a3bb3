/** The search indexes of a test, told from those of others by the prefix of their names. */
import { createMeilisearchClient } from '../../stores/meilisearch/client.ts';
import { createQdrantClient } from '../../stores/qdrant/client.ts';
import { testServers } from './environment.ts';
import { HANGS_MS } from './patience.ts';

/** Removes the search indexes whose names begin with `prefix`. */
export async function dropIndexes(prefix: string): Promise<void> {
  const servers = testServers();
  const isOf = (name: string): boolean =>
    name.startsWith(`${prefix}_`) || name === `${prefix}-installation`;
  const qdrant = createQdrantClient({ ...servers.qdrant, timeoutMs: HANGS_MS });
  for (const { name } of (await qdrant.getCollections()).collections) {
    if (isOf(name)) await qdrant.deleteCollection(name);
  }
  const meilisearch = createMeilisearchClient({ ...servers.meilisearch, timeoutMs: HANGS_MS });
  for (const { uid } of (await meilisearch.getRawIndexes({ limit: 1000 })).results) {
    if (isOf(uid)) await meilisearch.deleteIndex(uid).waitTask();
  }
}
