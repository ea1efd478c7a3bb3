/** Builds the checks of readiness that ask the other servers, beside those that ask Postgres. */
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { Client } from '@temporalio/client';
import type { Meilisearch } from 'meilisearch';
import type { ModelRoles } from '../../domain/models/role-config.ts';
import type { SpaceBook } from '../../engine/indexes/spaces/space-book.ts';
import type {
  InstalledVectorIndex,
  ReadinessSources,
} from '../../operations/environment/readiness-sources.ts';
import { asking as askingMeilisearch } from '../../stores/meilisearch/client.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { asking as askingQdrant } from '../../stores/qdrant/client.ts';
import { listCollections } from '../../stores/qdrant/collection.ts';
import { buildDatabaseReadiness, shared } from './database-readiness.ts';

export interface ReadinessDependencies {
  readonly db: Queryable;
  readonly models: ModelRoles;
  /** The width of the embedder's last answer in this process; null before the first. */
  readonly answeredWidth?: () => number | null;
  readonly temporal: Client;
  readonly meilisearch: Meilisearch;
  readonly qdrant: {
    readonly client: QdrantClient;
    /** The prefix of the names of this deployment's collections. */
    readonly prefix: string;
    /** Name of the collection of the configured embedder (see `collectionName`). */
    readonly collection: string;
    /** Tells whether that collection is ready; it is unless given. */
    readonly book?: Pick<SpaceBook, 'load'>;
  };
}

/**
 * The client retries on timers of its own, and the last one fires up to 0.7 s after the deadline. All of them must be
 * over before a check counts as timed out.
 */
const TEMPORAL_DEADLINE_MS = 1_000;

/** Temporal answers, and knows the namespace. */
async function pingTemporal(temporal: Client): Promise<void> {
  const { namespace } = temporal.options;
  await temporal.connection.withDeadline(Date.now() + TEMPORAL_DEADLINE_MS, () =>
    temporal.workflowService.describeNamespace({ namespace }),
  );
}

async function listVectorIndexes({
  client,
  prefix,
  collection,
  book,
}: ReadinessDependencies['qdrant']): Promise<readonly InstalledVectorIndex[]> {
  const [states, kept = []] = await Promise.all([
    listCollections(client, { prefix }),
    book?.load(),
  ]);
  const isBuilding = kept.some(
    (space) => space.collection === collection && space.state === 'building',
  );
  const isEntered = kept.length === 0 || kept.some((space) => space.collection === collection);
  return states.flatMap(({ name, dimensions }) => {
    if (dimensions === null) return [];
    const configured = name === collection && isEntered;
    return [{ dimensions, configured, ready: !(configured && isBuilding) }];
  });
}

export function buildReadinessSources(dependencies: ReadinessDependencies): ReadinessSources {
  const { db, models, temporal, meilisearch, qdrant } = dependencies;
  return {
    ...buildDatabaseReadiness(db, models),
    jobQueue: shared(() => pingTemporal(temporal)),
    qdrant: shared(async () => {
      await askingQdrant(() => qdrant.client.getCollections());
    }),
    // The statistics need the key, so this checks the key too; the health route does not.
    meilisearch: shared(async () => {
      await askingMeilisearch(() => meilisearch.getStats());
    }),
    answeredDimensions: () => dependencies.answeredWidth?.() ?? null,
    vectorIndexes: shared(() => listVectorIndexes(qdrant)),
  };
}
