/** Builds the checks of readiness that ask the other servers, beside those that ask Postgres. */
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { Client } from '@temporalio/client';
import type { Meilisearch } from 'meilisearch';
import type { ModelRoles } from '../../domain/models/role-config.ts';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import type { IndexMarks } from '../../engine/indexes/marks.ts';
import type { MarkedEngine } from '../../stores/postgres/indexes/index-marks.store.ts';
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
  /** Tells indexes of another past, which are being written anew; all are known unless given. */
  readonly marks?: Pick<IndexMarks, 'isKnown'>;
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

/** @throws IndexFailure while the index holds what another database, or this one at another time, has told it. */
async function assertKnown({ marks }: ReadinessDependencies, engine: MarkedEngine): Promise<void> {
  if (marks === undefined || (await marks.isKnown(engine))) return;
  throw new IndexFailure(engine, 'refused', 'index_of_another_past');
}

export function buildReadinessSources(dependencies: ReadinessDependencies): ReadinessSources {
  const { db, models, temporal, meilisearch, qdrant } = dependencies;
  return {
    ...buildDatabaseReadiness(db, models),
    jobQueue: shared(() => pingTemporal(temporal)),
    qdrant: shared(async () => {
      await askingQdrant(() => qdrant.client.getCollections());
      await assertKnown(dependencies, 'qdrant');
    }),
    // The statistics need the key, so this checks the key too; the health route does not.
    meilisearch: shared(async () => {
      await askingMeilisearch(() => meilisearch.getStats());
      await assertKnown(dependencies, 'meilisearch');
    }),
    answeredDimensions: () => dependencies.answeredWidth?.() ?? null,
    vectorIndexes: shared(() => listVectorIndexes(qdrant)),
  };
}
