/** Builds the list of the deployment's vector spaces for a process, and their upkeep. */
import { v4 as randomId } from 'uuid';
import { SpaceBook } from '../../engine/indexes/spaces/space-book.ts';
import { createSpaceUpkeep, type SpaceUpkeep } from '../../engine/indexes/spaces/upkeep.ts';
import type { IndexDependencies } from '../../engine/indexes/dependencies.ts';
import type { PointTarget, Vectors } from '../../engine/indexes/targets.ts';
import type { OwnSpace } from '../../domain/models/vector-spaces.ts';
import type { Embed } from '../../engine/models/embedding.ts';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import { lookupAccountIds } from '../../stores/postgres/identity/directory.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { VectorSpacesStore } from '../../stores/postgres/indexes/vector-spaces.store.ts';
import type { AbortableQdrantClient } from '../../stores/qdrant/client.ts';
import {
  analyzerPrefix,
  dropCollection,
  ensureSpace,
  listCollections,
  ownSpaceOf,
  type CollectionIdentity,
} from '../../stores/qdrant/collection.ts';
import { PointIndex } from '../../stores/qdrant/point-index.ts';
import { segmentsFor } from '../../stores/qdrant/segments.ts';
import { SpacePoints } from '../../stores/qdrant/space-points.ts';

export interface SpacesDependencies {
  /** Null where no other space can stand beside the configured one. */
  readonly db: Queryable | null;
  /** For writes, and what walks over an index. */
  readonly qdrant: AbortableQdrantClient;
  readonly identity: CollectionIdentity & { readonly prefix: string };
  /** Milliseconds; the usual ones unless given. */
  readonly claimMs?: number | undefined;
  readonly waitsMs?: readonly number[] | undefined;
}

export interface Spaces {
  readonly book: SpaceBook;
  /** The collections that are written. */
  readonly targets: () => Promise<readonly PointTarget[]>;
  /** A query by meaning that the collection cannot answer costs no call: its vectors are another embedder's. */
  onlyOwn(embed: Embed): Embed;
  /** Null without a database. */
  upkeep(indexing: IndexDependencies): SpaceUpkeep | null;
}

function targetFor(qdrant: AbortableQdrantClient, own: OwnSpace, space: OwnSpace): PointTarget {
  const foreign: Vectors = space.dimensions === null ? 'words' : 'other';
  const vectors: Vectors = space.collection === own.collection ? 'own' : foreign;
  return { points: new PointIndex(qdrant, space.collection), vectors };
}

/** Names that this service gives to collections of the prefix, whatever the analyzer. */
function isOurs(prefix: string, name: string): boolean {
  return name.startsWith(`${prefix}_`) && /^a[^_]+_/.test(name.slice(prefix.length + 1));
}

export function buildSpaces(dependencies: SpacesDependencies): Spaces {
  const { claimMs, db, identity, qdrant, waitsMs } = dependencies;
  const own = ownSpaceOf(identity);
  const prefix = analyzerPrefix(identity);
  const store = db === null ? null : new VectorSpacesStore(db);
  const kept = store === null ? null : () => store.kept(prefix);
  const book = new SpaceBook({ own, kept, now: () => performance.now() });
  return {
    book,
    async targets() {
      const spaces = await book.writing();
      return spaces.map((space) => targetFor(qdrant, own, space));
    },
    onlyOwn:
      (embed) =>
      async (...asked) => {
        if (!book.readsOwn()) throw new IndexFailure('qdrant', 'refused', 'other_space');
        return embed(...asked);
      },
    upkeep(indexing) {
      if (db === null || store === null) return null;
      return createSpaceUpkeep({
        book,
        store,
        prefix,
        claimant: randomId(),
        claimMs,
        qdrant: {
          list: async () =>
            (await listCollections(qdrant, identity)).filter(({ name }) =>
              isOurs(identity.prefix, name),
            ),
          async ensure(space) {
            // Before a rebuild the collection is empty, and what it will hold is known.
            const units = await store.unitsToIndex();
            await ensureSpace(qdrant, space, (points) => segmentsFor(Math.max(points, units)));
          },
          drop: (name) => dropCollection(qdrant, name),
        },
        migration: {
          ...indexing,
          target: targetFor(qdrant, own, own),
          shown: new SpacePoints(qdrant, own.collection),
          accountIds: () => lookupAccountIds(db),
          waitsMs,
        },
      });
    },
  };
}
