/**
 * The vector spaces of a deployment: which collections are kept, and how one is added and others are removed.
 *
 * A deployment begins with the space of the first embedder it is started with. A process with another embedder searches the
 * collection that is ready, by words alone, until `migrate` has filled its own. Then both are kept, so that processes of
 * either embedder search by meaning, until `retire` removes all but the configured one.
 */
import {
  writtenSpaces,
  type KeptSpace,
  type OwnSpace,
} from '../../../domain/models/vector-spaces.ts';
import { Refusal } from '../../../domain/errors.ts';
import { pause } from '../../async.ts';
import type { VectorSpacesStore } from '../../../stores/postgres/indexes/vector-spaces.store.ts';
import type { CollectionState } from '../../../stores/qdrant/collection.ts';
import {
  migrateSpace,
  type SpaceMigration,
  type MigrationDependencies,
  type MigrationOptions,
} from './migrate.ts';
import type { SpaceBook } from './space-book.ts';

export interface ListedSpace extends KeptSpace {
  /** Whether it is the one of the configured embedder. */
  readonly configured: boolean;
  /** Points of all accounts; null when Qdrant lacks the collection. */
  readonly points: number | null;
}

export interface SpaceUpkeep {
  /**
   * Creates what Qdrant lacks of the kept collections. Enters the first space of the deployment: the one of the configured
   * embedder, or a collection of an earlier release. May be repeated and raced. Throws an `IndexFailure`.
   */
  ensure(): Promise<void>;
  /** Whether the configured space can be searched, as far as it is entered; asks Postgres only. */
  isReady(): Promise<boolean>;
  /** The kept spaces, the latest first. Throws an `IndexFailure`. */
  list(): Promise<readonly ListedSpace[]>;
  /** Fills the space of the configured embedder and switches to it. Refused while another process does. */
  migrate(options: MigrationOptions): Promise<SpaceMigration>;
  /** Removes every collection but the configured one; answers their names. Refused until that one is ready. */
  retire(): Promise<readonly string[]>;
}

export interface SpaceUpkeepDependencies {
  readonly book: SpaceBook;
  readonly store: VectorSpacesStore;
  /** Of the names of collections of this analyzer. */
  readonly prefix: string;
  readonly qdrant: {
    /** All collections of the deployment, of every analyzer. */
    list(): Promise<readonly CollectionState[]>;
    ensure(space: OwnSpace): Promise<void>;
    drop(collection: string): Promise<void>;
  };
  readonly migration: Omit<MigrationDependencies, 'switchOver'>;
  /** A random id of this process. */
  readonly claimant: string;
  /** Milliseconds of a claim that is not renewed; the usual ones unless given. */
  readonly claimMs?: number | undefined;
}

/** The refusal of a command, with a reason for the operator. */
function inTheWay(message: string): Refusal {
  return new Refusal('conflict', { fields: [{ path: 'embeddings', message }] });
}

/** A process that died keeps others from filling the collection for so long. */
const CLAIM_MS = 15_000;

/** The collection of the configured embedder as it should be entered where none is kept. */
async function firstSpace({ book, prefix, qdrant }: SpaceUpkeepDependencies): Promise<OwnSpace> {
  const there = (await qdrant.list()).filter(({ name }) => name.startsWith(prefix));
  if (there.some(({ name }) => name === book.own.collection)) return book.own;
  // A deployment of a release without the table, started with another embedder: what it has is searched by words.
  const [largest] = there
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points);
  if (largest === undefined) return book.own;
  return { collection: largest.name, dimensions: largest.dimensions };
}

/** Whether no account has anything that an index could show. */
async function hasNothing({ migration }: SpaceUpkeepDependencies): Promise<boolean> {
  for (const accountId of await migration.accountIds()) {
    if (!(await migration.inAccount(accountId, ({ spaceWalk }) => spaceWalk.isEmpty())))
      return false;
  }
  return true;
}

/**
 * Where there is nothing to fill it with, the space of another embedder is ready at once. It is looked again after the
 * space was entered: a writer that did not find it yet has written what is found then, and it stays `building`.
 */
async function changeWhileEmpty(dependencies: SpaceUpkeepDependencies): Promise<void> {
  const { book, store } = dependencies;
  if (!(await hasNothing(dependencies))) return;
  await begin(dependencies);
  if (await hasNothing(dependencies)) await store.setReady(book.own.collection);
}

async function ensure(dependencies: SpaceUpkeepDependencies): Promise<void> {
  const { book, qdrant, store } = dependencies;
  const kept = await book.load();
  if (kept.length === 0) {
    const first = await firstSpace(dependencies);
    // Entered after it was created: a writer that finds it must be able to write it.
    await qdrant.ensure(first);
    await store.enter(first, 'ready');
  } else if (!kept.some(({ collection }) => collection === book.own.collection)) {
    await changeWhileEmpty(dependencies);
  }
  for (const space of writtenSpaces(book.own, await book.load())) await qdrant.ensure(space);
}

/** Enters the configured space as one that is being filled, unless it is known. A leftover of it is emptied before. */
async function begin({ book, qdrant, store }: SpaceUpkeepDependencies): Promise<void> {
  const kept = await book.load();
  if (kept.some(({ collection }) => collection === book.own.collection)) return;
  // Nobody has written to it since it was retired, so nobody knows what it shows of units that have gone.
  const there = await qdrant.list();
  if (there.some(({ name }) => name === book.own.collection))
    await qdrant.drop(book.own.collection);
  await qdrant.ensure(book.own);
  await store.enter(book.own, 'building');
}

/** Claims the space, waiting for a claim that nobody renews. */
async function claim(
  { book, claimant, claimMs = CLAIM_MS, store }: SpaceUpkeepDependencies,
  signal: AbortSignal,
): Promise<{ release(): Promise<void> }> {
  const { collection } = book.own;
  const until = performance.now() + claimMs * 1.5;
  while (!(await store.claim(collection, claimant, claimMs))) {
    if (performance.now() > until) {
      throw inTheWay('another run of migrate is at work');
    }
    await pause(claimMs / 15, signal);
    signal.throwIfAborted();
  }
  const renewal = setInterval(() => {
    store.claim(collection, claimant, claimMs).catch(() => undefined);
  }, claimMs / 3);
  return {
    async release() {
      clearInterval(renewal);
      await store.release(collection, claimant);
    },
  };
}

async function migrate(
  dependencies: SpaceUpkeepDependencies,
  options: MigrationOptions,
): Promise<SpaceMigration> {
  const { book, store } = dependencies;
  await ensure(dependencies);
  await begin(dependencies);
  const claimed = await claim(dependencies, options.signal);
  try {
    const switchOver = async (): Promise<void> => {
      await store.setReady(book.own.collection);
      await book.load();
    };
    return await migrateSpace({ ...dependencies.migration, switchOver }, options);
  } finally {
    await claimed.release();
  }
}

async function retire({ book, qdrant, store }: SpaceUpkeepDependencies): Promise<string[]> {
  const { collection: own } = book.own;
  const kept = await book.load();
  if (!kept.some(({ collection, state }) => collection === own && state === 'ready')) {
    throw inTheWay('the collection of the configured embedder is not ready; migrate first');
  }
  // First nobody writes them, then they go. What a crash leaves in between is found by its name the next time.
  await store.forget(kept.map(({ collection }) => collection).filter((name) => name !== own));
  const names = (await qdrant.list()).map(({ name }) => name).filter((name) => name !== own);
  for (const name of names) await qdrant.drop(name);
  return names;
}

export function createSpaceUpkeep(dependencies: SpaceUpkeepDependencies): SpaceUpkeep {
  const { book, qdrant } = dependencies;
  return {
    ensure: () => ensure(dependencies),
    async isReady() {
      await book.load();
      return book.readsOwn();
    },
    async list() {
      const kept = await book.load();
      const points = new Map((await qdrant.list()).map((state) => [state.name, state.points]));
      return kept.map((space) => ({
        ...space,
        configured: space.collection === book.own.collection,
        points: points.get(space.collection) ?? null,
      }));
    },
    migrate: (options) => migrate(dependencies, options),
    retire: () => retire(dependencies),
  };
}
