/** A start says which limit will never let a call through. */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { randomPorts } from '../../../embedded/port-numbers.ts';
import type { Log } from '../../../engine/logging/logger.ts';
import { loadConfig } from '../../../runtime/config/index.ts';
import { startApi } from '../../../runtime/processes/api.ts';
import { createTestDatabase } from '../../support/database.ts';
import { testServers } from '../../support/environment.ts';
import { dropIndexes } from '../../support/indexes.ts';
import { HANGS_MS } from '../../support/patience.ts';

test('a limit below the most output of one call is said at the start, and starts', async () => {
  const database = await createTestDatabase();
  const indexPrefix = `l${randomBytes(5).toString('hex')}`;
  const { meilisearch, qdrant, temporalAddress } = testServers();
  const { api: port = 0 } = await randomPorts(['api']);
  const said: unknown[] = [];
  const log: Log = { info() {}, error() {}, warn: (...line) => void said.push(line) };
  const config = loadConfig({
    DATABASE_URL: database.appUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    MEILI_HOST: meilisearch.url,
    MEILI_MASTER_KEY: meilisearch.masterKey,
    QDRANT_URL: qdrant.url,
    QDRANT_API_KEY: qdrant.apiKey,
    SERVICE_SECRET_KEY: 'a secret key that every process of this test shares',
    SERVICE_PORT: String(port),
    SERVICE_METRICS_PORT: '0',
    SERVICE_MODEL_INGEST_EXTRACTOR: 'openai-compatible:tiny',
    SERVICE_MODEL_INGEST_EXTRACTOR_BASE_URL: 'http://127.0.0.1:9/v1',
    SERVICE_MODEL_INGEST_EXTRACTOR_MAX_OUTPUT_TOKENS: '4000',
    SERVICE_BUDGET_LIMITS_JSON: '{"*": {"output_tokens": 3999}}',
  });
  try {
    await (await startApi(config, log, { indexPrefix, patienceMs: HANGS_MS })).close();
    const fields = {
      role: 'ingest_extractor',
      limit_of: '*',
      limit: 3_999,
      output_tokens: 4_000,
    };
    expect(said).toContainEqual(['token_limits.below_one_call', fields]);
  } finally {
    await dropIndexes(indexPrefix);
    await database.drop();
  }
});
