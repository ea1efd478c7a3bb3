/**
 * The composition root: everything a process is made of, built in one place and passed down. No module opens
 * a connection on import; what a process does not use connects to nothing.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { DatabasePool } from 'slonik';
import type { ModelGateway } from '../../engine/models/gateway.ts';
import { createTextWork, type TextWork } from '../../engine/offload/text-work.ts';
import { createDemand, type Demand } from '../../engine/demand.ts';
import { createThreads } from '../../engine/offload/threads.ts';
import type { Indexer } from '../../engine/projections/indexer.ts';
import type { RequestContext } from '../../operations/operation.ts';
import type { Services } from '../../operations/services.ts';
import type { BlobStore } from '../../stores/blobs/blob-store.ts';
import { openPool } from '../../stores/postgres/pool.ts';
import { openActors, type OpenActors } from '../actors/open.ts';
import { ensureNamespaceAndSearchAttributes } from '../actors/search-attributes.ts';
import type { Config, Settings } from '../config/index.ts';
import type { Log } from '../logger.ts';
import type { Observers } from '../telemetry/index.ts';
import { PreconditionError } from '../../stores/postgres/preconditions.ts';
import { buildBlobStore } from './blobs.ts';
import { databaseTurns } from './database-turns.ts';
import { buildDocumentServices } from './documents.ts';
import { buildExtractionServices } from './extraction-services.ts';
import { buildHealthServices } from './health.ts';
import { buildIdentityServices } from './identity.ts';
import { buildModelGateway, buildModelServices } from './models.ts';
import { buildObservationServices } from './observations.ts';
import { buildRetrieval, type RetrievalDependencies } from './retrieval.ts';
import { buildRunServices } from './runs.ts';

export interface TemporalSettings {
  readonly temporalAddress: string;
  readonly namespace: string;
  readonly queuePrefix: string;
  readonly buildSha: string;
}

export interface Container {
  readonly config: Config;
  readonly db: DatabasePool;
  readonly blobs: BlobStore;
  readonly services: Services;
  readonly gateway: ModelGateway;
  readonly indexer: Indexer;
  readonly paraphrases: ReturnType<typeof buildRetrieval>['paraphrases'];
  readonly actors: OpenActors;
  /** What accounts bring this process to work on. */
  readonly demand: Demand;
  readonly temporal: TemporalSettings;
  /** Creates what the other servers must hold before work starts: namespace, search attributes, indexes. */
  prepare(): Promise<void>;
  /** The context of an operation that is called in process by an operator, without a caller. */
  operatorContext(signal?: AbortSignal): RequestContext;
  close(): Promise<void>;
}

export interface ContainerOptions {
  /** How operators see this process in histories. Never a host name. */
  readonly identity?: string;
  /** Tells deployments and tests on shared servers apart. */
  readonly queuePrefix?: string;
  readonly indexPrefix?: string;
  /** See `RetrievalDependencies`; for processes that share their machine with a test. */
  readonly patienceMs?: number;
  /** Told of what is done, for metrics. */
  readonly observers?: Observers;
  /**
   * Whether an account that crowds others with work in hand is made to rest between its transactions. A process that
   * takes requests has a pace for them instead (`api/request-pace.ts`).
   */
  readonly slowsCrowds?: boolean;
}

function needed(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new PreconditionError(
    `${name} is not set: npm start sets it, and so does docker-compose.yml.`,
  );
}

/** A key of its own for each purpose, all drawn from the one secret of the deployment. */
function derivedKey(secretKey: string, purpose: string): Uint8Array {
  return createHmac('sha256', secretKey).update(purpose).digest();
}

function engineSettings(settings: Settings): Pick<RetrievalDependencies, 'qdrant' | 'meilisearch'> {
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

/** The context of an operation that no request brought. */
function operatorContext(services: Services, signal: AbortSignal): RequestContext {
  return {
    caller: null,
    traceId: randomBytes(16).toString('hex'),
    now: new Date(),
    services,
    signal,
    clientAddress: null,
    idempotency: null,
  };
}

interface ServiceParts {
  readonly config: Config;
  readonly db: DatabasePool;
  readonly blobs: BlobStore;
  readonly actors: OpenActors;
  readonly gateway: ModelGateway;
  readonly retrieval: ReturnType<typeof buildRetrieval>;
  readonly text: TextWork;
  readonly secretKey: string;
  readonly observers: Observers | undefined;
  readonly buildSha: string;
  readonly log: Log;
}

/** What the operations call. */
function buildServices(parts: ServiceParts): Services {
  const { config, db, blobs, actors, gateway, retrieval, text, observers, buildSha, log } = parts;
  const { settings, models } = config;
  return {
    documents: buildDocumentServices({ db, blobs, log, sweep: actors.sweep }),
    extraction: buildExtractionServices({ db, actors: actors.actors, config, buildSha, log }),
    health: buildHealthServices({ db, models, temporal: actors.client, ...retrieval.engines }),
    identity: buildIdentityServices({
      db,
      attemptHashKey: derivedKey(parts.secretKey, 'sign-in-attempts'),
      passwordTokenTtlMs: settings.SERVICE_PASSWORD_TOKEN_TTL * 1000,
      unattended: settings.SERVICE_UNATTENDED,
    }),
    models: buildModelServices(gateway),
    observations: buildObservationServices({
      db,
      doorbell: actors.doorbell,
      onRecorded: observers?.recorded,
    }),
    retrieval: retrieval.services,
    runs: buildRunServices({ db, sweep: actors.sweep }),
    secrets: { holdsSecret: text.holdsSecret },
  };
}

interface RetrievalParts {
  readonly config: Config;
  readonly db: DatabasePool;
  readonly gateway: ModelGateway;
  readonly text: TextWork;
  readonly log: Log;
  readonly options: ContainerOptions;
}

function openRetrieval(parts: RetrievalParts): ReturnType<typeof buildRetrieval> {
  const { config, db, gateway, text, log, options } = parts;
  const { settings, models } = config;
  const { indexPrefix, patienceMs, observers } = options;
  return buildRetrieval({
    db,
    models,
    gateway,
    text,
    log,
    ...engineSettings(settings),
    minimalRecall: settings.SERVICE_EXPERIMENTAL_MINIMAL_RECALL,
    paraphraseCosine: settings.SERVICE_PARAPHRASE_COSINE,
    ...(indexPrefix === undefined ? {} : { indexPrefix }),
    patienceMs,
    observer: observers?.searches,
  });
}

/** `demand` where crowds are slowed. */
function openDatabase(settings: Settings, demand: Demand | undefined): Promise<DatabasePool> {
  const maxPoolSize = settings.SERVICE_DATABASE_POOL_SIZE;
  const turns = databaseTurns(maxPoolSize, demand);
  return openPool(needed(settings.DATABASE_URL, 'DATABASE_URL'), { maxPoolSize, turns });
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
  const secretKey = needed(settings.SERVICE_SECRET_KEY, 'SERVICE_SECRET_KEY');
  const temporal = temporalSettings(settings, options);
  const demand = createDemand();
  const db = await openDatabase(settings, options.slowsCrowds === true ? demand : undefined);
  const actors = openActors({
    ...temporal,
    address: temporal.temporalAddress,
    identity: options.identity ?? 'cli',
    db,
    log,
  });
  const threads = createThreads({ demand });
  const text = createTextWork(threads);
  const gateway = buildModelGateway({
    db,
    text,
    roles: models,
    settings,
    doorbell: actors.doorbell,
    log,
    observers: options.observers === undefined ? [] : [options.observers.models],
  });
  const retrieval = openRetrieval({ config, db, gateway, text, log, options });
  const blobs = buildBlobStore(settings);
  const services = buildServices({
    config,
    db,
    blobs,
    actors,
    gateway,
    retrieval,
    text,
    secretKey,
    observers: options.observers,
    buildSha: temporal.buildSha,
    log,
  });
  return {
    config,
    db,
    blobs,
    services,
    gateway,
    indexer: retrieval.indexer,
    paraphrases: retrieval.paraphrases,
    actors,
    demand,
    temporal,
    async prepare() {
      await Promise.all([
        ensureNamespaceAndSearchAttributes(actors.client),
        retrieval.ensureIndexes(),
      ]);
    },
    operatorContext: (signal = new AbortController().signal) => operatorContext(services, signal),
    async close() {
      await actors.close();
      await threads.close();
      await db.end();
    },
  };
}
