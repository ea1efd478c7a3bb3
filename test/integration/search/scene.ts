/**
 * A database with an account or two, statements put there row by row, and the retrieval area on the real
 * indexes under a prefix of its own.
 */
import { NOTHING_USED } from '../../../domain/models/usage.ts';
import { randomBytes } from 'node:crypto';
import type { DatabasePool } from 'slonik';
import type { Caller } from '../../../domain/identity/caller.ts';
import { DETERMINISTIC_DIMENSIONS, type ModelRoles } from '../../../domain/models/role-config.ts';
import { embedDeterministic } from '../../../engine/text/embedding/deterministic.ts';
import { execute } from '../../../operations/execute.ts';
import { search } from '../../../operations/retrieval/search.ts';
import type { searchOutput } from '../../../operations/retrieval/search-output.ts';
import {
  searchSources,
  type sourceSearchOutput,
} from '../../../operations/retrieval/source-search.ts';
import type { RequestContext } from '../../../operations/operation.ts';
import { buildRetrieval, type Retrieval } from '../../../runtime/container/retrieval.ts';
import type { RetrievalDependencies } from '../../../runtime/container/retrieval-dependencies.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { openTestDatabase } from '../../support/database.ts';
import { testServers } from '../../support/environment.ts';
import { dropIndexes } from '../../support/indexes.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { NO_ROLES } from '../../unit/models/fixtures.ts';
import { createAccountScene, type AccountScene, type RunSql } from './account.ts';
import type { z } from 'zod';

export type { AccountScene };

const EMBEDDER = {
  provider: 'deterministic',
  model: 'built-in',
  modelVersion: '1',
  dimensions: DETERMINISTIC_DIMENSIONS,
} as const;

export const MODELS: ModelRoles = { ...NO_ROLES, embedder: EMBEDDER };

/** The same with another version of the embedder: another vector space, and another collection. */
export const modelsOfVersion = (modelVersion: string): ModelRoles => ({
  ...NO_ROLES,
  embedder: { ...EMBEDDER, modelVersion },
});

export type SearchBody = Record<string, unknown>;
export type SearchData = z.output<typeof searchOutput>;
export type SourceData = z.output<typeof sourceSearchOutput>;

export interface SearchScene {
  readonly pool: DatabasePool;
  readonly retrieval: Retrieval;
  readonly prefix: string;
  /** The database, as superuser. */
  readonly adminUrl: string;
  account(): Promise<AccountScene>;
  /** With a context of its own, in which a test may replace parts. */
  search(
    caller: Caller,
    body: SearchBody,
    replaced?: Partial<RequestContext<Caller>>,
  ): Promise<SearchData>;
  sources(caller: Caller, body: SearchBody, signal?: AbortSignal): Promise<SourceData>;
  /** As superuser. */
  readonly sql: RunSql;
  /** The area again, with some dependencies replaced. */
  rebuilt(replaced: Partial<RetrievalDependencies>): Retrieval;
  close(): Promise<void>;
}

/** Texts of the candidates, in order. */
export function texts(answer: SearchData): (string | null)[] {
  return answer.candidates.map((candidate) => candidate.statement);
}

/** What the retrieval area needs on a test database: the real indexes, the built-in embedder, and all the time. */
export function searchDependencies(pool: DatabasePool, indexPrefix: string): RetrievalDependencies {
  const { meilisearch, qdrant } = testServers();
  return {
    inAccount: createRefusingInAccount(pool),
    qdrant,
    meilisearch,
    models: MODELS,
    gateway: {
      embed: async (texts) => ({
        vectors: texts.map(embedDeterministic),
        space: { provider: 'deterministic', model: 'built-in', version: '1', dimensions: 384 },
        usage: NOTHING_USED,
      }),
    },
    paraphraseCosine: 0.97,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    indexPrefix,
    patienceMs: HANGS_MS,
  };
}

/** The context in which operations that only read run for the caller. */
export function readingContext(
  { inAccount }: Pick<RetrievalDependencies, 'inAccount'>,
  { search, sourceSearch }: Pick<Retrieval, 'search' | 'sourceSearch'>,
  caller: Caller,
  settings = { minimalRecall: false },
): RequestContext<Caller> {
  return {
    inAccount,
    search,
    sourceSearch,
    settings,
    caller,
    traceId: 'ab'.repeat(16),
    now: new Date(),
    signal: new AbortController().signal,
    clientAddress: null,
    idempotency: null,
  } as unknown as RequestContext<Caller>;
}

export async function openSearchScene(): Promise<SearchScene> {
  const database = await openTestDatabase();
  const { pool, rows: sql } = database;
  const prefix = `t${randomBytes(5).toString('hex')}`;
  const dependencies = searchDependencies(pool, prefix);
  const retrieval = buildRetrieval(dependencies);
  await retrieval.ensureIndexes();
  let current = retrieval;

  return {
    pool,
    retrieval,
    prefix,
    adminUrl: database.adminUrl,
    account: () => createAccountScene(sql, pool, () => current.indexer),
    search: (caller, body, replaced) =>
      execute(search, { ...readingContext(dependencies, current, caller), ...replaced }, body),
    sources: (caller, body, signal) =>
      execute(
        searchSources,
        {
          ...readingContext(dependencies, current, caller),
          ...(signal === undefined ? {} : { signal }),
        },
        body,
      ),
    sql,
    rebuilt(replaced) {
      current = buildRetrieval({ ...dependencies, ...replaced });
      return current;
    },
    async close() {
      await dropIndexes(prefix);
      await database.close();
    },
  };
}
