/** A deployment with two embedders: the built-in one that it began with, and one behind a stub endpoint. */
import { randomBytes } from 'node:crypto';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { ModelRoles } from '../../../domain/models/role-config.ts';
import type { MigrationProgress, SpaceMigration } from '../../../engine/indexes/spaces/migrate.ts';
import { execute } from '../../../operations/execute.ts';
import { search } from '../../../operations/retrieval/search.ts';
import { searchSources } from '../../../operations/retrieval/source-search.ts';
import { buildModelGateway } from '../../../runtime/container/models.ts';
import { buildRetrieval, type Retrieval } from '../../../runtime/container/retrieval.ts';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import { EveryCollection } from '../../../stores/qdrant/every-collection.ts';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';
import { testServers } from '../../support/environment.ts';
import { dropIndexes } from '../../support/indexes.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';
import { NO_ROLES, remoteRole } from '../../unit/models/fixtures.ts';
import { createAccountScene, type AccountScene } from '../search/account.ts';
import { MODELS, readingContext, searchDependencies } from '../search/scene.ts';

export const WIDTH = 8;
/** A dead run keeps another waiting for no longer. */
export const CLAIM_MS = 1_500;
const LOG = { info: () => {}, warn: () => {}, error: () => {} };

/** The embedder behind the endpoint. */
export const rolesOf = (baseUrl: string, dimensions = WIDTH): ModelRoles => ({
  ...NO_ROLES,
  embedder: remoteRole(baseUrl, { dimensions }),
});

/** A process of the service: what it searches and writes with. */
export interface SpacesProcess {
  readonly retrieval: Retrieval;
  /** Runs `embeddings migrate`. */
  migrate(options?: {
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: MigrationProgress) => void;
  }): Promise<SpaceMigration>;
  /** Texts of the candidates in order, and what became of each strategy. */
  search(caller: Caller, query: string): Promise<{ texts: unknown[]; outcomes: unknown }>;
  /** Status and first message of a search by meaning over messages. */
  sources(caller: Caller, query: string): Promise<readonly [string, string | undefined]>;
  /** Units by index that are missing, stale, superfluous or on their way, and points without a vector. */
  drift(account: AccountScene): Promise<readonly [number, number]>;
}

export interface SpacesScene {
  readonly database: OpenDatabase;
  readonly prefix: string;
  readonly stub: StubOpenAi;
  /** Where processes are told to find everything. */
  process(models: ModelRoles, waitsMs?: readonly number[]): SpacesProcess;
  /** A process of the embedder that the deployment began with. */
  readonly before: SpacesProcess;
  /** An account whose marks the old process works off. */
  account(): Promise<AccountScene>;
  /** The same database and endpoint under another prefix, where no collection was made yet. */
  bare(): Promise<{
    process(models: ModelRoles): SpacesProcess;
    account(of: SpacesProcess): Promise<AccountScene>;
  }>;
  /** Points of the units in all collections. */
  held(
    account: AccountScene,
    unit: 'statement' | 'message',
    ids: readonly string[],
  ): Promise<number>;
  /** Texts that the endpoint was asked to embed, in order. */
  embedded(): string[];
  /** Attempts of the embedder in the ledger. */
  attempts(account: AccountScene): Promise<number>;
  collections(): Promise<string[]>;
  close(): Promise<void>;
}

/** A process on a database and a prefix; `scene.process` is the same. */
export function processOf(
  { pool, prefix, models }: { pool: OpenDatabase['pool']; prefix: string; models: ModelRoles },
  waitsMs: readonly number[] = [],
): SpacesProcess {
  const gateway = buildModelGateway({
    db: pool,
    roles: models,
    settings: {
      SERVICE_BUDGET_LIMITS_JSON: {},
      SERVICE_CIRCUIT_FAILURES: 50,
      SERVICE_CIRCUIT_OPEN_SECONDS: 1,
    },
    doorbell: { ring: () => {} },
    log: LOG,
  });
  const dependencies = {
    ...searchDependencies(pool, prefix),
    db: pool,
    models,
    gateway,
    paraphraseCosine: null,
    migration: { claimMs: CLAIM_MS, waitsMs },
  };
  const retrieval = buildRetrieval(dependencies);
  const signal = new AbortController().signal;
  return {
    retrieval,
    async migrate({ signal: given = signal, onProgress = () => {} } = {}) {
      if (retrieval.vectorSpaces === undefined) throw new TypeError('there is a database');
      return retrieval.vectorSpaces.migrate({ signal: given, onProgress });
    },
    async search(caller, query) {
      const answer = await execute(search, readingContext(dependencies, retrieval, caller), {
        query,
      });
      const outcomes = Object.fromEntries(
        answer.retrieval_outcomes.map(({ component, status, reason_class: reason }) => [
          component,
          reason ?? status,
        ]),
      );
      return { texts: answer.candidates.map(({ statement }) => statement), outcomes };
    },
    async sources(caller, query) {
      const context = readingContext(dependencies, retrieval, caller);
      const { status, results } = await execute(searchSources, context, {
        query,
        mode: 'semantic',
      });
      return [status, results[0]?.message_id] as const;
    },
    async drift(account) {
      const { indexes, withoutVector } = await retrieval.indexes.verify(account.id, signal);
      const wrong = indexes.map(
        ({ missing, stale, orphans, pending }) => missing + stale + orphans + pending,
      );
      return [wrong.reduce((sum, n) => sum + n, 0), withoutVector] as const;
    },
  };
}

export async function openSpacesScene(): Promise<SpacesScene> {
  const database = await openTestDatabase();
  const { pool, rows } = database;
  const prefix = `v${randomBytes(5).toString('hex')}`;
  const stub = await startStubOpenAi({ dimensions: WIDTH });
  const process = (models: ModelRoles, waitsMs?: readonly number[]): SpacesProcess =>
    processOf({ pool, prefix, models }, waitsMs);
  const before = process(MODELS);
  await before.retrieval.ensureIndexes();
  const qdrant = createQdrantClient({ ...testServers().qdrant, timeoutMs: HANGS_MS });
  const everywhere = new EveryCollection(qdrant, prefix);
  return {
    database,
    prefix,
    stub,
    process,
    before,
    account: () => createAccountScene(rows, pool, () => before.retrieval.indexer),
    async bare() {
      const other = `${prefix}x`;
      return {
        process: (models) => processOf({ pool, prefix: other, models }),
        account: ({ retrieval }) => createAccountScene(rows, pool, () => retrieval.indexer),
      };
    },
    held: (account, unit, ids) => everywhere.countUnits(account.id, unit, ids),
    embedded: () => stub.requests.flatMap(({ body }) => body['input'] as string[]),
    async attempts({ id }) {
      const [row] = await rows(
        `select count(*)::integer as n from provider_attempts
         where account_id = $1 and role = 'embedder' and provider = 'openai-compatible'`,
        [id],
      );
      return Number(row?.['n']);
    },
    async collections() {
      const { collections } = await qdrant.getCollections();
      return collections.map(({ name }) => name).filter((name) => name.startsWith(`${prefix}_`));
    },
    async close() {
      await dropIndexes(prefix);
      await dropIndexes(`${prefix}x`);
      await stub.close();
      await database.close();
    },
  };
}
