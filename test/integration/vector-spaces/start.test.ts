/** The API process started with an embedder: of a wrong width, of no answer, and of another space than the index has. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { randomPorts } from '../../../embedded/port-numbers.ts';
import { execute } from '../../../operations/execute.ts';
import { bootstrap } from '../../../operations/identity/bootstrap.ts';
import { loadConfig, type Config } from '../../../runtime/config/index.ts';
import { createContainer } from '../../../runtime/container/index.ts';
import type { Log } from '../../../engine/logging/logger.ts';
import { startApi } from '../../../runtime/processes/api.ts';
import { openPool } from '../../../stores/postgres/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testServers } from '../../support/environment.ts';
import { dropIndexes } from '../../support/indexes.ts';
import { createAccountScene, type RunSql } from '../search/account.ts';
import { HANGS_MS, eventually } from '../../support/patience.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';

let database: TestDatabase;
let stub: StubOpenAi;
let prefix: string;
let port: number;
let said: unknown[];

const log: Log = {
  info() {},
  error() {},
  warn: (event, fields) => void said.push([event, fields]),
};

function configOf(settings: Readonly<Record<string, string>>): Config {
  const { meilisearch, qdrant, temporalAddress } = testServers();
  return loadConfig({
    DATABASE_URL: database.appUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    MEILI_HOST: meilisearch.url,
    MEILI_MASTER_KEY: meilisearch.masterKey,
    QDRANT_URL: qdrant.url,
    QDRANT_API_KEY: qdrant.apiKey,
    SERVICE_SECRET_KEY: 'a secret key that every process of this test shares',
    SERVICE_PORT: String(port),
    SERVICE_METRICS_PORT: '0',
    ...settings,
  });
}

const endpoint = (dimensions: number): Config =>
  configOf({
    SERVICE_MODEL_EMBEDDER: 'openai-compatible:tiny',
    SERVICE_MODEL_EMBEDDER_BASE_URL: stub.baseUrl,
    SERVICE_MODEL_EMBEDDER_DIMENSIONS: String(dimensions),
  });

/** A deployment with an account that began with the built-in embedder, or with another one. */
async function begun(config: Config): Promise<void> {
  const container = await createContainer(config, log, { indexPrefix: prefix });
  await container.prepare();
  await execute(bootstrap, container.operatorContext(), {
    account: 'first',
    email: 'first@example.org',
    password: 'twelve characters',
  });
  await container.close();
}

/** Something that an index is to show. */
async function somethingSaid(): Promise<void> {
  const pool = await openPool(database.appUrl, { maxPoolSize: 1 });
  const admin = new Client({ connectionString: database.adminUrl });
  await admin.connect();
  const rows: RunSql = async (text, values = []) =>
    (await admin.query<Record<string, unknown>>(text, [...values])).rows;
  const account = await createAccountScene(rows, pool, () => {
    throw new Error('nothing is indexed here');
  });
  await account.message({ speaker: 'anna', text: 'The red canoe lies at the lake' });
  await admin.end();
  await pool.end();
}

/** Starts the API; answers what ready says of the index of the embedder. */
async function ready(config: Config): Promise<Record<string, unknown>> {
  const api = await startApi(config, log, { indexPrefix: prefix, patienceMs: HANGS_MS });
  try {
    return await eventually(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/api/ready`);
      const body = (await response.json()) as { checks: Record<string, Record<string, unknown>> };
      const check = body.checks['embedding_index'] ?? {};
      return check['error_class'] !== 'request_timeout' && check;
    });
  } finally {
    await api.close();
  }
}

beforeEach(async () => {
  said = [];
  prefix = `w${randomBytes(5).toString('hex')}`;
  database = await createTestDatabase();
  stub = await startStubOpenAi({ dimensions: 8 });
  ({ api: port = 0 } = await randomPorts(['api']));
});
afterEach(async () => {
  await stub.close();
  await dropIndexes(prefix);
  await database.drop();
});

describe('a start', () => {
  test('with a width that is not the model’s ends, and names both widths', async () => {
    await begun(endpoint(16));
    await expect(startApi(endpoint(16), log, { indexPrefix: prefix })).rejects.toMatchObject({
      name: 'PreconditionError',
      message: expect.stringContaining('answers vectors of 8 numbers') as unknown,
    });
  });

  test('goes on while the embedder does not answer', async () => {
    await begun(endpoint(8));
    await stub.close();
    expect(await ready(endpoint(8))).toMatchObject({
      status: 'ok',
      index_state: 'ready',
      answered_dimensions: null,
    });
    expect(said).toContainEqual([
      'embedder.no_answer',
      { model: 'tiny', error_class: 'transport_error' },
    ]);
  });

  test('with the right width shows what the embedder answered, and says that vectors by chance are poor', async () => {
    await begun(endpoint(8));
    expect(await ready(endpoint(8))).toMatchObject({ status: 'ok', answered_dimensions: 8 });
    expect(said).toEqual([['embedder.poor', { model: 'tiny' }]]);
  });

  test('with another embedder than before is ready at once while nothing was said yet', async () => {
    await begun(configOf({}));
    await begun(endpoint(8));
    expect(await ready(endpoint(8))).toMatchObject({ status: 'ok', index_state: 'ready' });
  });

  test('with another embedder than the index has is not ready, and keeps the collection that there is', async () => {
    await begun(configOf({}));
    await somethingSaid();
    await begun(endpoint(8));
    expect(await ready(endpoint(8))).toMatchObject({
      status: 'error',
      error_class: 'embedding_width_mismatch',
      index_state: 'missing',
      configured_dimensions: 8,
      indexed_dimensions: [384],
    });
    expect(said).toContainEqual(['embedder.index_not_ready', { model: 'tiny' }]);
  });
});
