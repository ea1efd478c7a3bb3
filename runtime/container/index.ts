/**
 * The composition root: all parts of a process, built in one place and passed down. No module opens a connection on
 * import, and a part that the process does not use opens none.
 */
import { randomBytes } from 'node:crypto';
import type { DatabasePool } from 'slonik';
import type { ModelGateway } from '../../engine/models/gateway.ts';
import { createCompareBlobs } from '../../engine/blobs/comparison.ts';
import { createTextWork, type TextWork } from '../../engine/offload/text-work.ts';
import type { UsageCounts } from '../../engine/usage/counts.ts';
import type { UsageUpkeep } from '../../engine/usage/upkeep.ts';
import { createDemand, type Demand } from '../../engine/demand.ts';
import { createThreads } from '../../engine/offload/threads.ts';
import type { IndexEraser } from '../../engine/indexes/index-eraser.ts';
import type { IndexMarks } from '../../engine/indexes/marks.ts';
import type { Indexer } from '../../engine/indexes/indexer.ts';
import type { RequestContext } from '../../operations/operation.ts';
import type { Environment } from '../../operations/environment/environment.ts';
import type { ListedBlobStore } from '../../stores/blobs/blob-store.ts';
import { createRefusingInAccount } from '../../stores/postgres/in-account.ts';
import { openActors, type OpenActors } from '../actors/open.ts';
import { ensureNamespaceAndSearchAttributes } from '../actors/search-attributes.ts';
import type { Config, Settings } from '../config/index.ts';
import type { Log } from '../../engine/logging/logger.ts';
import { keptFolders } from './kept-folders.ts';
import type { DiskFolders } from '../telemetry/disk-metrics.ts';
import type { Observers } from '../telemetry/index.ts';
import { buildAnswers } from './answers.ts';
import { blobsForOperations, buildBlobStore } from './blobs.ts';
import {
  buildDatabaseParts,
  openSettlements,
  openDatabase,
  type DatabaseParts,
} from './database-parts.ts';
import { derivedKey } from './derived-key.ts';
import { watchEmbedder } from './embedder-check.ts';
import { buildReadinessSources } from './health.ts';
import { buildModelGateway, modelsForOperations } from './models.ts';
import { needed } from './needed.ts';
import { buildQuestions } from './questions.ts';
import { buildRetrieval } from './retrieval.ts';
import type { RetrievalDependencies } from './retrieval-dependencies.ts';
import { buildUsage } from './usage.ts';

export interface TemporalSettings {
  readonly temporalAddress: string;
  readonly namespace: string;
  readonly queuePrefix: string;
  readonly buildSha: string;
}

export interface Container {
  readonly config: Config;
  readonly db: DatabasePool;
  readonly blobs: ListedBlobStore;
  readonly environment: Environment;
  readonly gateway: ModelGateway;
  /** The folders whose disks the metrics show. */
  readonly disks: DiskFolders;
  readonly marks: IndexMarks;
  readonly indexer: Indexer;
  readonly indexEraser: IndexEraser;
  readonly paraphrases: ReturnType<typeof buildRetrieval>['paraphrases'];
  readonly markMessages: ReturnType<typeof buildRetrieval>['markMessages'];
  readonly actors: OpenActors;
  /** How much work each account brings to this process. */
  readonly demand: Demand;
  /** Keeps the figures of what accounts used. */
  readonly usage: UsageUpkeep;
  readonly temporal: TemporalSettings;
  /** Creates what the other servers must hold before work starts: namespace, search attributes, indexes. */
  prepare(): Promise<void>;
  /** Asks the embedder once. @throws PreconditionError when its vectors have another width than the settings say. */
  checkEmbedder(): Promise<void>;
  /** The context of an operation that is called in process by an operator, without a caller. */
  operatorContext(signal?: AbortSignal): RequestContext;
  close(): Promise<void>;
}

export interface ContainerOptions {
  /** The name of this process in workflow histories. Never a host name. */
  readonly identity?: string;
  /** Tells deployments and tests on shared servers apart. */
  readonly queuePrefix?: string;
  readonly indexPrefix?: string;
  /** See `RetrievalDependencies`; for processes that share their machine with a test. */
  readonly patienceMs?: number;
  /** Gets recorded observations, searches and model calls, for metrics and traces. */
  readonly observers?: Observers;
  /**
   * Whether an account that crowds others has to rest between its transactions. A process that takes requests slows the
   * requests instead (`api/request-pace.ts`).
   */
  readonly slowsCrowds?: boolean;
  /** An open pool to work with, which is closed with the container; one is opened unless given. */
  readonly db?: DatabasePool;
}

/** The parts that `buildRetrieval` builds on a database. */
function given<T>(part: T | undefined): T {
  if (part === undefined) throw new TypeError('the retrieval was built without a database');
  return part;
}

function indexSettings(settings: Settings): Pick<RetrievalDependencies, 'qdrant' | 'meilisearch'> {
  return {
    qdrant: {
      url: needed(settings.QDRANT_URL, 'QDRANT_URL'),
      apiKey: settings.QDRANT_API_KEY ?? null,
    },
    meilisearch: {
      url: needed(settings.MEILI_HOST, 'MEILI_HOST'),
      masterKey: settings.MEILI_MASTER_KEY ?? null,
    },
  };
}

function temporalSettings(settings: Settings, options: ContainerOptions): TemporalSettings {
  return {
    temporalAddress: needed(settings.TEMPORAL_ADDRESS, 'TEMPORAL_ADDRESS'),
    namespace: settings.TEMPORAL_NAMESPACE,
    queuePrefix: options.queuePrefix ?? 'vouch',
    buildSha: settings.SERVICE_BUILD_SHA ?? 'dev',
  };
}

/** The context of an operation that is called without a request. */
function operatorContext(environment: Environment, signal: AbortSignal): RequestContext {
  return {
    ...environment,
    caller: null,
    traceId: randomBytes(16).toString('hex'),
    now: new Date(),
    signal,
    clientAddress: null,
    idempotency: null,
  };
}

interface EnvironmentParts extends Pick<Container, 'db' | 'blobs' | 'actors' | 'gateway'> {
  readonly config: Config;
  readonly databaseParts: DatabaseParts;
  readonly retrieval: ReturnType<typeof buildRetrieval>;
  readonly text: TextWork;
  readonly counts: UsageCounts;
  readonly options: Pick<ContainerOptions, 'observers' | 'patienceMs'>;
  readonly log: Log;
}

/** Builds the environment of the operations of the process. */
function buildEnvironment(parts: EnvironmentParts): Environment {
  const { blobs, counts, db, actors, gateway, databaseParts, retrieval, text, log } = parts;
  const { settings, models } = parts.config;
  const { observers, patienceMs } = parts.options;
  const secretKey = needed(settings.SERVICE_SECRET_KEY, 'SERVICE_SECRET_KEY');
  return {
    ...databaseParts,
    blobs: blobsForOperations(blobs, log),
    compareBlobs: createCompareBlobs(databaseParts.inAccount, blobs),
    search: retrieval.search,
    ...buildAnswers(gateway, derivedKey(secretKey, 'recall-queries'), observers?.answers),
    sourceSearch: retrieval.sourceSearch,
    questions: buildQuestions(databaseParts.inAccount, log, {
      observe: observers?.questions,
      patienceMs,
    }),
    indexes: retrieval.indexes,
    acceptIndexes: () => given(retrieval.marks).accept(),
    vectorSpaces: given(retrieval.vectorSpaces),
    models: modelsForOperations(gateway),
    doorbell: actors.doorbell,
    sweep: actors.sweep,
    countRequest: (accountId) => counts.request(accountId),
    text,
    readiness: buildReadinessSources({
      db,
      models,
      answeredWidth: () => gateway.answeredWidth(),
      temporal: actors.client,
      marks: given(retrieval.marks),
      ...retrieval.servers,
    }),
  };
}

function openGateway(
  { settings, models: roles }: Config,
  { observers }: ContainerOptions,
  { counts, ...parts }: Pick<EnvironmentParts, 'counts' | 'db' | 'log' | 'text'> & OpenActors,
): ModelGateway {
  return buildModelGateway({
    ...parts,
    roles,
    settings,
    observers: observers === undefined ? [] : [observers.models],
    onUnrecorded: (call) => counts.call(call),
  });
}

function openRetrieval(
  { settings, models }: Config,
  { indexPrefix, patienceMs, observers }: ContainerOptions,
  parts: Pick<RetrievalDependencies, 'ability' | 'db' | 'inAccount' | 'gateway' | 'text' | 'log'>,
): ReturnType<typeof buildRetrieval> {
  return buildRetrieval({
    ...parts,
    models,
    ...indexSettings(settings),
    paraphraseCosine: settings.SERVICE_PARAPHRASE_COSINE,
    ...(indexPrefix === undefined ? {} : { indexPrefix }),
    patienceMs,
    observer: observers?.searches,
    sourceObserver: observers?.sourceSearches,
  });
}

/** Closes what works on the pool, one after another. */
async function closeAll(parts: readonly { close(): Promise<unknown> }[]): Promise<void> {
  for (const part of parts) await part.close();
}

/**
 * Builds the process. Opens no connection but the pool's first.
 * @throws PreconditionError when a server is not named.
 */
export async function createContainer(
  config: Config,
  log: Log,
  options: ContainerOptions = {},
): Promise<Container> {
  const { settings, models } = config;
  const temporal = temporalSettings(settings, options);
  const demand = createDemand();
  const slowing = options.slowsCrowds === true ? demand : undefined;
  const db = options.db ?? (await openDatabase(settings, slowing, log));
  const inAccount = createRefusingInAccount(db);
  const settlements = openSettlements(settings);
  const { recorded: onRecorded } = options.observers ?? {};
  const onDatabase = { config, db, inAccount, settlements, log };
  const databaseParts = buildDatabaseParts({ ...onDatabase, onRecorded });
  const actors = openActors({
    ...temporal,
    address: temporal.temporalAddress,
    identity: options.identity ?? 'cli',
    db,
    log,
  });
  const threads = createThreads({ demand });
  const text = createTextWork(threads);
  const { counts, usage } = buildUsage(db, log);
  const gateway = openGateway(config, options, { db, text, counts, log, ...actors });
  const embedder = watchEmbedder(models, gateway, log);
  const { ability } = embedder;
  const retrieval = openRetrieval(config, options, { ability, db, inAccount, gateway, text, log });
  const blobs = buildBlobStore(settings);
  const parts = { config, db, databaseParts, blobs, actors, gateway, retrieval, text, counts, log };
  const environment = buildEnvironment({ ...parts, options });
  return {
    config,
    db,
    blobs,
    environment,
    gateway,
    disks: keptFolders(settings),
    marks: given(retrieval.marks),
    indexer: retrieval.indexer,
    indexEraser: retrieval.indexEraser,
    paraphrases: retrieval.paraphrases,
    markMessages: retrieval.markMessages,
    actors,
    demand,
    usage,
    temporal,
    async prepare() {
      await Promise.all([
        ensureNamespaceAndSearchAttributes(actors.client),
        retrieval.ensureIndexes(),
      ]);
    },
    checkEmbedder: () => embedder.check(environment),
    operatorContext: (signal = new AbortController().signal) =>
      operatorContext(environment, signal),
    async close() {
      await closeAll([actors, { close: () => usage.flush() }, threads, settlements]);
      await db.end();
    },
  };
}
