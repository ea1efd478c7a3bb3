/**
 * `embeddings migrate` in a process of its own, which a test kills: `migrating.ts <database> <prefix> <endpoint>`. It
 * imports nothing that needs the test runner.
 */
import type { ModelRoles, RemoteRoleConfig } from '../../../domain/models/role-config.ts';
import { buildModelGateway } from '../../../runtime/container/models.ts';
import { buildRetrieval } from '../../../runtime/container/retrieval.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { openPool } from '../../../stores/postgres/pool.ts';
import { testServers } from '../../support/environment.ts';

const [databaseUrl = '', indexPrefix = '', baseUrl = ''] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: () => {} };
const none = { provider: 'none' } as const;
/** The same space as that of `rolesOf` in `scene.ts`. */
const embedder: RemoteRoleConfig = {
  provider: 'openai-compatible',
  model: 'tiny:1b',
  modelVersion: '7',
  baseUrl,
  apiKey: null,
  dimensions: 8,
  contextTokens: 32_768,
  maxOutputTokens: 8_192,
  timeoutMs: 60_000,
};
const models: ModelRoles = {
  embedder,
  reranker: none,
  ingest_extractor: none,
  dream_reasoner: none,
  dialectic_agent: none,
};
const pool = await openPool(databaseUrl, { maxPoolSize: 4 });
const gateway = buildModelGateway({
  db: pool,
  roles: models,
  settings: {
    SERVICE_BUDGET_LIMITS_JSON: {},
    SERVICE_CIRCUIT_FAILURES: 50,
    SERVICE_CIRCUIT_OPEN_SECONDS: 1,
  },
  doorbell: { ring: () => {} },
  log,
});
const { vectorSpaces } = buildRetrieval({
  ...testServers(),
  inAccount: createRefusingInAccount(pool),
  db: pool,
  models,
  gateway,
  paraphraseCosine: null,
  log,
  indexPrefix,
  migration: { claimMs: 1_500, waitsMs: [] },
});
await vectorSpaces?.migrate({ signal: new AbortController().signal, onProgress: () => {} });
await pool.end();
