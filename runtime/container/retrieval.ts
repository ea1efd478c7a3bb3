/** Builds search, the indexer and the index maintenance of a process on its pool and its two indexes. */
import { v4 as randomId } from 'uuid';
import type { RetrievalDependencies } from './retrieval-dependencies.ts';
import { embeddingHabitsOf, vectorSpaceOf } from '../../domain/models/role-config.ts';
import {
  createParaphraseFinder,
  type ParaphraseFinder,
} from '../../engine/knowledge/paraphrases.ts';
import {
  rememberingEmbedder,
  type MemorySize,
  type RememberingEmbedder,
} from '../../engine/models/embedding-memo.ts';
import type { Rerank } from '../../engine/models/reranking.ts';
import { createIndexer, type Indexer } from '../../engine/indexes/indexer.ts';
import { createIndexEraser, type IndexEraser } from '../../engine/indexes/index-eraser.ts';
import { createIndexMaintenance, type IndexMaintenance } from '../../engine/indexes/maintenance.ts';
import { ON_THE_LOOP } from '../../engine/offload/text-work.ts';
import type { IndexDependencies } from '../../engine/indexes/dependencies.ts';
import { ANALYZER } from '../../engine/indexes/units.ts';
import type { SpaceBook } from '../../engine/indexes/spaces/space-book.ts';
import type { SpaceUpkeep } from '../../engine/indexes/spaces/upkeep.ts';
import type { SearchDependencies } from '../../engine/retrieval/dependencies.ts';
import { withProfileValues } from '../../engine/retrieval/request.ts';
import { createSearch, type Search } from '../../engine/retrieval/search.ts';
import type { MarkMessages } from '../../engine/reconcile/message-vectors.ts';
import type { SourceSearch } from '../../engine/source-search/search.ts';
import type { Environment } from '../../operations/environment/environment.ts';
import { createMeilisearchClient } from '../../stores/meilisearch/client.ts';
import { EveryIndex } from '../../stores/meilisearch/every-index.ts';
import { RecordIndex } from '../../stores/meilisearch/record-index.ts';
import { createIndexMarks, type IndexMarks } from '../../engine/indexes/marks.ts';
import { IndexMarksStore } from '../../stores/postgres/indexes/index-marks.store.ts';
import { MeilisearchMark } from '../../stores/meilisearch/installation-mark.ts';
import { QdrantMark } from '../../stores/qdrant/installation-mark.ts';
import { ensureIndexes, indexNames } from '../../stores/meilisearch/indexes.ts';
import { withRefusals } from '../../stores/postgres/errors.ts';
import { createQdrantClient } from '../../stores/qdrant/client.ts';
import { ensureCollection } from '../../stores/qdrant/collection.ts';
import { EveryCollection } from '../../stores/qdrant/every-collection.ts';
import { PointIndex } from '../../stores/qdrant/point-index.ts';
import { PointReader } from '../../stores/qdrant/point-reader.ts';
import type { ReadinessDependencies } from './health.ts';
import { createSearchTurns } from './search-turns.ts';
import { buildSourceSearch } from './source-search.ts';
import { buildSpaces } from './vector-spaces.ts';

export interface Retrieval {
  readonly search: Search;
  readonly sourceSearch: SourceSearch;
  /** For the reconcile. */
  readonly markMessages: MarkMessages;
  readonly indexes: Environment['indexes'];
  /** Absent where the configured space stands alone. */
  readonly vectorSpaces: SpaceUpkeep | undefined;
  /** Whether the indexes are of the same past as the database. Absent without a database. */
  readonly marks: IndexMarks | undefined;
  readonly indexer: Indexer;
  readonly indexEraser: IndexEraser;
  /** Absent without an embedder, or when switched off. */
  readonly paraphrases: ParaphraseFinder | undefined;
  /** Creates collection, payload indexes and full-text indexes with their settings. May be repeated. */
  ensureIndexes(): Promise<void>;
  /** For readiness: clients that give up early, and the collection that must exist. */
  readonly servers: Pick<ReadinessDependencies, 'meilisearch' | 'qdrant'>;
}

/** Reads give up early, so that the other index still has time; writes may wait for a busy index. */
const READ_TIMEOUT_MS = 2_000;
const WRITE_TIMEOUT_MS = 30_000;
/** 16 MiB: 5,000 vectors of the smallest common width, 500 of the largest. */
const STATEMENT_MEMORY: MemorySize = { numbers: 2_000_000 };
const QUERY_MEMORY: MemorySize = { vectors: 1_000 };

function monotonicMs(): number {
  return performance.now();
}

/** The search. When `patienceMs` is given, it replaces the time limits of a request's profile. */
function searchOf(dependencies: SearchDependencies, patienceMs: number | undefined): Search {
  const search = createSearch({
    ...dependencies,
    probeTimeoutMs: patienceMs,
    rowsTimeoutMs: patienceMs,
  });
  if (patienceMs === undefined) return search;
  const limits = { deadlineMs: patienceMs, strategyTimeoutMs: patienceMs };
  return (request) => search(withProfileValues(request, limits));
}

/** An embedder has the low weight of a poor one until its check has ended. Without a check it has the full weight. */
function skillOf({ ability, models }: RetrievalDependencies): SearchDependencies['embedderSkill'] {
  if (models.embedder.provider === 'deterministic') return () => 'deterministic';
  if (ability === undefined) return () => 'able';
  return (accountId) => (ability.isAble(accountId) ? 'able' : 'poor');
}

function rerankOf({ models, gateway }: RetrievalDependencies): Rerank | null {
  if (models.reranker.provider === 'none') return null;
  if (gateway.rerank === undefined) throw new TypeError('a reranker needs a gateway that reranks');
  return gateway.rerank;
}

function paraphraseFinder(
  { log, paraphraseCosine: threshold, patienceMs }: RetrievalDependencies,
  embedder: RememberingEmbedder | null,
  points: PointReader,
  book: SpaceBook,
): ParaphraseFinder | undefined {
  if (embedder === null || threshold === null) return undefined;
  const report: IndexDependencies['report'] = (event, fields) => log.warn(event, fields);
  const finder = createParaphraseFinder({
    threshold,
    embedder,
    points,
    now: monotonicMs,
    patienceMs,
    report,
  });
  return { around: async (...asked) => (book.readsOwn() ? finder.around(...asked) : null) };
}

/** Reads give up early. Writes and walks over an index may wait. */
function clientsOf({ meilisearch, patienceMs = READ_TIMEOUT_MS, qdrant }: RetrievalDependencies) {
  const read = { timeoutMs: patienceMs };
  const write = { timeoutMs: WRITE_TIMEOUT_MS };
  return {
    readQdrant: createQdrantClient({ ...qdrant, ...read }),
    writeQdrant: createQdrantClient({ ...qdrant, ...write }),
    readMeilisearch: createMeilisearchClient({ ...meilisearch, ...read }),
    writeMeilisearch: createMeilisearchClient({ ...meilisearch, ...write }),
  };
}

function marksOf(
  { db }: RetrievalDependencies,
  { writeMeilisearch, writeQdrant }: ReturnType<typeof clientsOf>,
  prefix: string,
): IndexMarks | undefined {
  if (db === undefined) return undefined;
  return createIndexMarks({
    store: new IndexMarksStore(db),
    holders: {
      meilisearch: new MeilisearchMark(writeMeilisearch, prefix),
      qdrant: new QdrantMark(writeQdrant, prefix),
    },
    newMark: randomId,
  });
}

/** The identity of the collection of the configured embedder; without an embedder it has no vector space. */
function identityOf({ indexPrefix: prefix = 'vouch', models }: RetrievalDependencies) {
  return { prefix, analyzerVersion: ANALYZER, space: vectorSpaceOf(models.embedder) };
}

/** The upkeep of the indexes, after `ensureIndexes`. */
function indexesOf(
  maintenance: IndexMaintenance,
  book: SpaceBook,
  ensure: () => Promise<void>,
): IndexMaintenance {
  return {
    async rebuild(...asked) {
      await ensure();
      return maintenance.rebuild(...asked);
    },
    async verify(...asked) {
      await book.load();
      return maintenance.verify(...asked);
    },
    async look(...asked) {
      await book.load();
      return maintenance.look(...asked);
    },
  };
}

function eraserOf(
  { writeMeilisearch, writeQdrant }: ReturnType<typeof clientsOf>,
  prefix: string,
  indexes: ReturnType<typeof indexNames>,
  book: SpaceBook,
): IndexEraser {
  const { collection } = book.own;
  return createIndexEraser({
    collections: new EveryCollection(writeQdrant, prefix),
    indexes: new EveryIndex(writeMeilisearch, prefix),
    asked: { collection, indexes },
    written: async () => [collection, ...(await book.writing()).map((one) => one.collection)],
  });
}

/** Builds the parts. No request is sent yet; call `ensureIndexes` once at start. */
export function buildRetrieval(dependencies: RetrievalDependencies): Retrieval {
  const { inAccount, models, gateway, patienceMs, log, text = ON_THE_LOOP } = dependencies;
  const clients = clientsOf(dependencies);
  const { readMeilisearch, readQdrant, writeQdrant } = clients;
  const collection = identityOf(dependencies);
  const { prefix, space } = collection;
  const names = indexNames(collection);
  const spaces = buildSpaces({
    db: dependencies.db ?? null,
    qdrant: writeQdrant,
    identity: collection,
    ...dependencies.migration,
  });
  const { book } = spaces;
  const remembering = (size: MemorySize): RememberingEmbedder | null =>
    space === null ? null : rememberingEmbedder(gateway.embed, space, size);
  const embedder = remembering(STATEMENT_MEMORY);
  const indexing: IndexDependencies = {
    inAccount,
    points: new PointIndex(writeQdrant, book.reading),
    targets: spaces.targets,
    records: new RecordIndex(clients.writeMeilisearch, names),
    textsOfCall: embeddingHabitsOf(models.embedder).batchTexts,
    embed: space === null ? null : gateway.embed,
    embedStatements: embedder?.embed ?? null,
    space,
    text,
    now: monotonicMs,
    report: (event, fields) => log.warn(event, fields),
  };
  const indexer = createIndexer(indexing);
  const queries = remembering(QUERY_MEMORY);
  const maintenance = createIndexMaintenance(indexing, indexer);
  const search: SearchDependencies = {
    points: new PointReader(readQdrant, book.reading, book.own.collection),
    records: new RecordIndex(readMeilisearch, names),
    inAccount,
    embed: queries && spaces.onlyOwn((...asked) => withRefusals(() => queries.embed(...asked))),
    embedderSkill: skillOf(dependencies),
    rerank: rerankOf(dependencies),
    now: monotonicMs,
    observer: dependencies.observer,
  };

  const byTurns = createSearchTurns();
  const of = { search, indexing, book, index: names.message };
  const sources = buildSourceSearch(dependencies, clients, of);

  const upkeep = spaces.upkeep(indexing);
  const ensure = async (): Promise<void> => {
    await Promise.all([
      upkeep === null ? ensureCollection(writeQdrant, collection) : upkeep.ensure(),
      ensureIndexes(clients.writeMeilisearch, names),
    ]);
  };

  return {
    search: byTurns(searchOf(search, patienceMs)),
    sourceSearch: byTurns(sources.search),
    markMessages: sources.markMessages,
    indexes: indexesOf(maintenance, book, ensure),
    vectorSpaces: upkeep ?? undefined,
    marks: marksOf(dependencies, clients, prefix),
    indexer,
    indexEraser: eraserOf(clients, prefix, names, book),
    paraphrases: paraphraseFinder(dependencies, embedder, search.points, book),
    ensureIndexes: ensure,
    servers: {
      meilisearch: readMeilisearch,
      qdrant: { client: readQdrant, prefix, collection: book.own.collection, book },
    },
  };
}
