/**
 * One collection per analyzer and vector space, because points of different analyzers or spaces cannot be compared.
 * A changed model or analyzer therefore gets a collection of its own beside the old one.
 */
import type { QdrantClient } from '@qdrant/js-client-rest';
import { vectorSpaceKey, type VectorSpace } from '../../domain/models/vector-space.ts';
import { asking } from './client.ts';
import { DENSE_VECTOR, PAYLOAD_INDEXES, SOURCES_VECTOR, SPARSE_VECTOR } from './point.ts';

/**
 * One thread builds graphs and merges segments, so that a backfill leaves processors to searches. There are few
 * segments, because each search walks all of them.
 */
const OPTIMIZERS = { default_segment_number: 2, max_optimization_threads: 1 };

export interface CollectionIdentity {
  /** Tells deployments and tests on one server apart; `vouch` by default. */
  readonly prefix?: string;
  readonly analyzerVersion: string;
  /** Null without an embedder: the collection then has no dense vectors. */
  readonly space: VectorSpace | null;
}

/** `<prefix>_<analyzer>_<vector space or "sparse">`, with characters every file system takes. */
export function collectionName(identity: CollectionIdentity): string {
  const space = identity.space === null ? 'sparse' : vectorSpaceKey(identity.space);
  return plain(`${prefixOf(identity)}_${identity.analyzerVersion}_${space}`);
}

function prefixOf(identity: Pick<CollectionIdentity, 'prefix'>): string {
  return identity.prefix ?? 'vouch';
}

function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]+/g, '-');
}

export interface CollectionState {
  readonly name: string;
  readonly points: number;
  /** Width of the dense vectors it holds; null when it holds none. */
  readonly dimensions: number | null;
}

/** What is installed under the name; null when nothing is. */
async function describeCollection(
  client: QdrantClient,
  name: string,
): Promise<CollectionState | null> {
  return asking(async () => {
    if (!(await client.collectionExists(name)).exists) return null;
    const info = await client.getCollection(name);
    const vectors = info.config.params.vectors ?? {};
    const dense: unknown = Reflect.get(vectors, DENSE_VECTOR);
    const size: unknown = typeof dense === 'object' && dense !== null && Reflect.get(dense, 'size');
    return {
      name,
      points: info.points_count ?? 0,
      dimensions: typeof size === 'number' ? size : null,
    };
  });
}

/** Every collection of the deployment, those of earlier models and analyzers included. */
export async function listCollections(
  client: QdrantClient,
  identity: Pick<CollectionIdentity, 'prefix'>,
): Promise<CollectionState[]> {
  const { collections } = await asking(() => client.getCollections());
  const own = collections.filter(({ name }) => name.startsWith(plain(`${prefixOf(identity)}_`)));
  const states = await Promise.all(own.map(({ name }) => describeCollection(client, name)));
  return states.filter((state) => state !== null);
}

/**
 * Creates the collection and its payload indexes where they are missing, and drops indexes that earlier releases made
 * and no condition needs. May be repeated and raced.
 */
export async function ensureCollection(
  client: QdrantClient,
  identity: CollectionIdentity,
): Promise<string> {
  const name = collectionName(identity);
  await asking(async () => {
    if (!(await client.collectionExists(name)).exists) await create(client, name, identity.space);
    await bringUpToDate(client, name);
  });
  return name;
}

/** Gives a collection of any release the payload indexes and the optimizers of this one. The points stay. */
async function bringUpToDate(client: QdrantClient, name: string): Promise<void> {
  const { payload_schema: existing, config } = await client.getCollection(name);
  const differs = Object.entries(OPTIMIZERS).some(
    ([setting, value]) => Reflect.get(config.optimizer_config, setting) !== value,
  );
  if (differs) await client.updateCollection(name, { optimizers_config: OPTIMIZERS });
  for (const field of Object.keys(existing)) {
    if (field in PAYLOAD_INDEXES) continue;
    await client.deletePayloadIndex(name, field, { wait: true });
  }
  for (const [field, schema] of Object.entries(PAYLOAD_INDEXES)) {
    if (existing[field] !== undefined) continue;
    await client.createPayloadIndex(name, { field_name: field, field_schema: schema, wait: true });
  }
}

async function create(client: QdrantClient, name: string, space: VectorSpace | null) {
  try {
    await client.createCollection(name, {
      vectors:
        space === null ? {} : { [DENSE_VECTOR]: { size: space.dimensions, distance: 'Cosine' } },
      // No `modifier: idf`: it would count every account's points. The weights come with the query.
      sparse_vectors: { [SPARSE_VECTOR]: {}, [SOURCES_VECTOR]: {} },
      // One graph per account: filtered searches stay exact in small accounts and fast in large ones.
      hnsw_config: { m: 0, payload_m: 16 },
      optimizers_config: OPTIMIZERS,
      on_disk_payload: true,
    });
  } catch (error) {
    // Another process may have been first; anything else is a failure.
    if (!(await client.collectionExists(name)).exists) throw error;
  }
}
