/**
 * One collection per analyzer and vector space, because points of different analyzers or spaces cannot be compared.
 * A changed model or analyzer therefore gets a collection of its own beside the old one.
 */
import type { QdrantClient } from '@qdrant/js-client-rest';
import { vectorSpaceKey, type VectorSpace } from '../../domain/models/vector-space.ts';
import type { OwnSpace } from '../../domain/models/vector-spaces.ts';
import { asking } from './client.ts';
import { segmentsFor } from './segments.ts';
import { DENSE_VECTOR, PAYLOAD_INDEXES, SOURCES_VECTOR, SPARSE_VECTOR } from './point.ts';

/** One thread builds graphs and merges segments, so that a backfill leaves processors to searches. */
function optimizers(segments: number) {
  return { default_segment_number: segments, max_optimization_threads: 1 };
}

/** Part of every name: a collection in which points have other ids or payloads cannot be searched. */
const POINT_LAYOUT = 2;

/** In how many parts Qdrant is to keep so many points. */
type SegmentsOf = (points: number) => number;

export interface CollectionIdentity {
  /** Tells deployments and tests on one server apart; `vouch` by default. */
  readonly prefix?: string;
  readonly analyzerVersion: string;
  /** Null without an embedder: the collection then has no dense vectors. */
  readonly space: VectorSpace | null;
}

/** `<prefix>_<analyzer>p<layout>_<vector space or "sparse">`, with characters every file system takes. */
export function collectionName(identity: CollectionIdentity): string {
  const space = identity.space === null ? 'sparse' : vectorSpaceKey(identity.space);
  return `${analyzerPrefix(identity)}${plain(space)}`;
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

/** Of the names of the deployment's collections of this analyzer and layout. */
export function analyzerPrefix(
  identity: Pick<CollectionIdentity, 'prefix' | 'analyzerVersion'>,
): string {
  return plain(`${prefixOf(identity)}_${identity.analyzerVersion}p${POINT_LAYOUT}_`);
}

/** The name of the collection and the width of its vectors, as the registry of spaces enters it. */
export function ownSpaceOf(identity: CollectionIdentity): OwnSpace {
  return { collection: collectionName(identity), dimensions: identity.space?.dimensions ?? null };
}

/**
 * Creates the collection and its payload indexes where they are missing, and drops indexes that earlier releases made
 * and no condition needs. `segmentsOf` says in how many parts Qdrant keeps so many points. May be repeated and raced.
 */
export async function ensureCollection(
  client: QdrantClient,
  identity: CollectionIdentity,
  segmentsOf: SegmentsOf = segmentsFor,
): Promise<string> {
  const space = ownSpaceOf(identity);
  await ensureSpace(client, space, segmentsOf);
  return space.collection;
}

/** As `ensureCollection`, of a collection that is known by name and width. */
export async function ensureSpace(
  client: QdrantClient,
  { collection, dimensions }: OwnSpace,
  segmentsOf: SegmentsOf = segmentsFor,
): Promise<void> {
  await asking(async () => {
    if (!(await client.collectionExists(collection)).exists) {
      await create(client, collection, dimensions, segmentsOf(0));
    }
    await bringUpToDate(client, collection, segmentsOf);
  });
}

/** Removes the collection with all its points, if it is there. */
export async function dropCollection(client: QdrantClient, name: string): Promise<void> {
  await asking(() => client.deleteCollection(name));
}

/** Gives a collection of any release the payload indexes and the optimizers of this one. The points stay. */
async function bringUpToDate(
  client: QdrantClient,
  name: string,
  segmentsOf: SegmentsOf,
): Promise<void> {
  const info = await client.getCollection(name);
  const { payload_schema: existing, config } = info;
  const wanted = optimizers(segmentsOf(info.points_count ?? 0));
  const differs = Object.entries(wanted).some(
    ([setting, value]) => Reflect.get(config.optimizer_config, setting) !== value,
  );
  if (differs) await client.updateCollection(name, { optimizers_config: wanted });
  const extra = Object.keys(existing).filter((field) => !(field in PAYLOAD_INDEXES));
  const missing = Object.entries(PAYLOAD_INDEXES).filter(([field]) => !(field in existing));
  // Qdrant makes them one after the other; asked for together, none of them waits for the answer to another.
  await Promise.all([
    ...extra.map((field) => client.deletePayloadIndex(name, field, { wait: true })),
    ...missing.map(([field, schema]) =>
      client.createPayloadIndex(name, { field_name: field, field_schema: schema, wait: true }),
    ),
  ]);
}

async function create(
  client: QdrantClient,
  name: string,
  dimensions: number | null,
  segments: number,
): Promise<void> {
  try {
    await client.createCollection(name, {
      vectors:
        dimensions === null ? {} : { [DENSE_VECTOR]: { size: dimensions, distance: 'Cosine' } },
      // No `modifier: idf`: it would count every account's points. The weights come with the query.
      sparse_vectors: { [SPARSE_VECTOR]: {}, [SOURCES_VECTOR]: {} },
      // One graph per account: filtered searches stay exact in small accounts and fast in large ones.
      hnsw_config: { m: 0, payload_m: 16 },
      optimizers_config: optimizers(segments),
      on_disk_payload: true,
    });
  } catch (error) {
    // Another process may have been first; anything else is a failure.
    if (!(await client.collectionExists(name)).exists) throw error;
  }
}
