/** Builds search, the indexer and the index maintenance of a process on its pool and its two engines. */
import { vectorSpaceOf, type ModelRoles } from '../../domain/models/role-config.ts';
import {
  createParaphraseFinder,
  type ParaphraseFinder,
} from '../../engine/extraction/paraphrases.ts';
import {
  rememberingEmbedder,
  type MemorySize,
  type RememberingEmbedder,
} from '../../engine/models/embedding-memo.ts';
import type { ModelGateway } from '../../engine/models/gateway.ts';
import { createIndexer, type Indexer } from '../../engine/projections/indexer.ts';
import { createIndexMaintenance } from '../../engine/projections/maintenance.ts';
import { ON_THE_LOOP, type TextWork } from '../../engine/offload/text-work.ts';
import type {
  InAccount,
  ProjectionDependencies,
  ProjectionStores,
} from '../../engine/projections/ports.ts';
import { ANALYZER } from '../../engine/projections/units.ts';
import type { SearchObserver } from '../../engine/retrieval/observer.ts';
import type { SearchDependencies, SearchStores } from '../../engine/retrieval/ports.ts';
import { createSearch, type Search } from '../../engine/retrieval/search.ts';
import type { RetrievalServices } from '../../operations/retrieval/ports.ts';
import { createMeilisearchClient } from '../../stores/meilisearch/client.ts';
import { createDocumentIndex } from '../../stores/meilisearch/documents.ts';
import { ensureIndexes, indexNames } from '../../stores/meilisearch/indexes.ts';
import { recordAudit } from '../../stores/postgres/audit.store.ts';
import * as marks from '../../stores/postgres/dirty-marks.store.ts';
import * as claims from '../../stores/postgres/mark-claims.store.ts';
import * as frequencies from '../../stores/postgres/document-frequency.store.ts';
import { withRefusals } from '../../stores/postgres/errors.ts';
import { readKnowledge } from '../../stores/postgres/knowledge-rows.store.ts';
import { withAccount, type Queryable } from '../../stores/postgres/pool.ts';
import * as retrieval from '../../stores/postgres/retrieval.store.ts';
import * as units from '../../stores/postgres/units.store.ts';
import { createQdrantClient } from '../../stores/qdrant/client.ts';
import { collectionName, ensureCollection } from '../../stores/qdrant/collection.ts';
import type { PointIndex } from '../../stores/qdrant/point-index.ts';
import { createPointIndex } from '../../stores/qdrant/points.ts';
import type { Log } from '../logger.ts';
import type { HealthDependencies } from './health.ts';
import { searchByTurns } from './search-turns.ts';

export interface RetrievalDependencies {
  readonly db: Queryable;
  readonly qdrant: { readonly url: string; readonly apiKey: string | null };
  readonly meilisearch: { readonly url: string; readonly masterKey: string | null };
  readonly models: ModelRoles;
  readonly gateway: Pick<ModelGateway, 'embed'>;
  /** Where texts are analysed; on the event loop unless given. */
  readonly text?: TextWork;
  readonly minimalRecall: boolean;
  /** The least cosine of statements that say the same in other words; null leaves them apart. */
  readonly paraphraseCosine: number | null;
  readonly log: Log;
  /** Tells deployments and tests on shared engines apart; `vouch` by default. */
  readonly indexPrefix?: string;
  /** Milliseconds that a search, its parts and a commit's look for other words may take, in place of what is usual. */
  readonly patienceMs?: number | undefined;
  readonly observer?: SearchObserver | undefined;
}

export interface Retrieval {
  readonly services: RetrievalServices;
  readonly indexer: Indexer;
  /** Absent without an embedder, or when switched off. */
  readonly paraphrases: ParaphraseFinder | undefined;
  /** Creates collection, payload indexes and full-text indexes with their settings. May be repeated. */
  ensureIndexes(): Promise<void>;
  /** What readiness asks: clients that give up early, and the collection that must be there. */
  readonly engines: Pick<HealthDependencies, 'meilisearch' | 'qdrant'>;
}

/** Reads give up early, so that the other engine still has time; writes may wait for a busy engine. */
const READ_TIMEOUT_MS = 2_000;
const WRITE_TIMEOUT_MS = 30_000;
/** 16 MiB: 5,000 vectors of the smallest common width, 500 of the largest. */
const STATEMENT_MEMORY: MemorySize = { numbers: 2_000_000 };
const QUERY_MEMORY: MemorySize = { vectors: 1_000 };

type Functions = Readonly<
  Record<string, (tx: Queryable, accountId: string, ...rest: never[]) => unknown>
>;
type BoundAll<F extends Functions> = {
  readonly [Name in keyof F]: F[Name] extends (
    tx: Queryable,
    accountId: string,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

function monotonicMs(): number {
  return performance.now();
}

/** Fills in transaction and account of every function of a store. */
function bound<F extends Functions>(functions: F, tx: Queryable, accountId: string): BoundAll<F> {
  const entries = Object.entries(functions).map(([name, call]) => [
    name,
    (...rest: never[]) => call(tx, accountId, ...rest),
  ]);
  return Object.fromEntries(entries) as BoundAll<F>;
}

function projectionStores(tx: Queryable, accountId: string): ProjectionStores {
  return {
    ...bound(marks, tx, accountId),
    ...bound(claims, tx, accountId),
    ...bound(units, tx, accountId),
    ...bound(frequencies, tx, accountId),
  };
}

function searchStores(tx: Queryable, accountId: string): SearchStores {
  return {
    ...bound({ documentFrequencies: frequencies.documentFrequencies }, tx, accountId),
    ...bound({ waitingStatements: marks.waitingStatements }, tx, accountId),
    ...bound({ statementsOfSource: retrieval.statementsOfSource }, tx, accountId),
    readCandidates: (ids, read) => retrieval.readCandidates(tx, ids, read),
    readSalient: (at, limit, read) => retrieval.readSalient(tx, at, limit, read),
    readKnowledge: (read) => readKnowledge(tx, read),
  };
}

function inAccount<Stores>(
  db: Queryable,
  build: (tx: Queryable, accountId: string) => Stores,
): InAccount<Stores> {
  return (accountId, work, limits) =>
    withRefusals(() => withAccount(db, accountId, (tx) => work(build(tx, accountId)), limits));
}

function resolveRead(db: Queryable): RetrievalServices['resolveRead'] {
  return (accountId, { paths, readerKey, namedBy }) =>
    withRefusals(() =>
      withAccount(db, accountId, async (tx) => {
        const scopes = await retrieval.findScopes(tx, accountId, paths);
        if (readerKey === null) return { scopes, namedPeerId: null };
        const namedPeerId = await retrieval.findPeer(tx, accountId, readerKey);
        if (namedPeerId !== null) {
          await recordAudit(tx, [
            {
              accountId,
              category: 'access',
              action: 'reader.named',
              actor: { kind: 'credential', ...namedBy },
              resourceType: 'peer',
              resourceId: namedPeerId,
            },
          ]);
        }
        return { scopes, namedPeerId };
      }),
    );
}

/** The search; with a patience under that one limit of time, whatever the profile of a request says. */
function searchOf(dependencies: SearchDependencies, patienceMs: number | undefined): Search {
  const search = createSearch({ ...dependencies, probeTimeoutMs: patienceMs });
  if (patienceMs === undefined) return search;
  const limits = { deadlineMs: patienceMs, strategyTimeoutMs: patienceMs };
  return (request) => search({ ...request, profile: { ...request.profile, ...limits } });
}

function paraphraseFinder(
  { log, paraphraseCosine: threshold, patienceMs }: RetrievalDependencies,
  embedder: RememberingEmbedder | null,
  points: PointIndex,
): ParaphraseFinder | undefined {
  if (embedder === null || threshold === null) return undefined;
  const report: ProjectionDependencies['report'] = (event, fields) => log.warn(event, fields);
  return createParaphraseFinder({
    threshold,
    embedder,
    points,
    now: monotonicMs,
    patienceMs,
    report,
  });
}

function beside({
  log,
  text = ON_THE_LOOP,
}: RetrievalDependencies): Pick<ProjectionDependencies, 'text' | 'now' | 'report'> {
  return { text, now: monotonicMs, report: (event, fields) => log.warn(event, fields) };
}

/** Wires the area. No request is sent yet; `ensureIndexes` is to be called once at start. */
export function buildRetrieval(dependencies: RetrievalDependencies): Retrieval {
  const { db, models, gateway, patienceMs } = dependencies;
  const readTimeoutMs = patienceMs ?? READ_TIMEOUT_MS;
  const space = vectorSpaceOf(models.embedder);
  const prefix = dependencies.indexPrefix === undefined ? {} : { prefix: dependencies.indexPrefix };
  const collection = { ...prefix, analyzerVersion: ANALYZER, space };
  const names = indexNames({ ...prefix, analyzerVersion: ANALYZER });
  const qdrant = (timeoutMs: number) => createQdrantClient({ ...dependencies.qdrant, timeoutMs });
  const meilisearch = (timeoutMs: number) =>
    createMeilisearchClient({ ...dependencies.meilisearch, timeoutMs });
  const configuredName = collectionName(collection);
  const readQdrant = qdrant(readTimeoutMs);
  const reading = {
    points: createPointIndex(readQdrant, configuredName),
    documents: createDocumentIndex(meilisearch(readTimeoutMs), names),
  };
  const [writeQdrant, writeMeilisearch] = [qdrant(WRITE_TIMEOUT_MS), meilisearch(WRITE_TIMEOUT_MS)];
  const remembering = (size: MemorySize): RememberingEmbedder | null =>
    space === null ? null : rememberingEmbedder(gateway.embed, space, size);
  const embedder = remembering(STATEMENT_MEMORY);
  const projection: ProjectionDependencies = {
    inAccount: inAccount(db, projectionStores),
    points: createPointIndex(writeQdrant, configuredName),
    documents: createDocumentIndex(writeMeilisearch, names),
    embed: space === null ? null : gateway.embed,
    embedStatements: embedder?.embed ?? null,
    ...beside(dependencies),
  };
  const indexer = createIndexer(projection);
  const maintenance = createIndexMaintenance(projection, indexer);
  const search: SearchDependencies = {
    ...reading,
    inAccount: inAccount(db, searchStores),
    embed: remembering(QUERY_MEMORY)?.embed ?? null,
    embedderIsDeterministic: models.embedder.provider === 'deterministic',
    rerankerConfigured: models.reranker.provider !== 'none',
    now: monotonicMs,
    observer: dependencies.observer,
  };

  const ensure = async (): Promise<void> => {
    await ensureCollection(writeQdrant, collection);
    await ensureIndexes(writeMeilisearch, names);
  };

  return {
    services: {
      search: searchByTurns(searchOf(search, patienceMs)),
      resolveRead: resolveRead(db),
      readKnowledge: (accountId, read) =>
        inAccount(db, searchStores)(accountId, (stores) => stores.readKnowledge(read)),
      minimalRecall: dependencies.minimalRecall,
      async rebuildIndexes(accountId, scopePath, signal) {
        await ensure();
        return maintenance.rebuild(accountId, scopePath, signal);
      },
      verifyIndexes: (accountId, signal) => maintenance.verify(accountId, signal),
    },
    indexer,
    paraphrases: paraphraseFinder(dependencies, embedder, reading.points),
    ensureIndexes: ensure,
    engines: {
      meilisearch: meilisearch(readTimeoutMs),
      qdrant: {
        client: readQdrant,
        prefix: dependencies.indexPrefix ?? 'vouch',
        collection: configuredName,
      },
    },
  };
}
