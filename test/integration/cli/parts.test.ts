/** The environment of one command: parts for Postgres at once, everything else when a command first calls it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createCommandContainer,
  type CommandContainer,
} from '../../../runtime/container/for-command.ts';
import { openDatabase } from '../../../runtime/container/database-parts.ts';
import { loadConfig } from '../../../runtime/config/index.ts';
import { createLog } from '../../../engine/logging/logger.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** Where nothing listens. */
const NOWHERE = '127.0.0.1:9';

const log = createLog({ level: 'silent', process: 'cli' });
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function open(variables: Readonly<Record<string, string>>): Promise<CommandContainer> {
  const config = loadConfig({
    SERVICE_SECRET_KEY: 'k'.repeat(43),
    DATABASE_URL: database.appUrl,
    MEILI_HOST: `http://${NOWHERE}`,
    QDRANT_URL: `http://${NOWHERE}`,
    ...variables,
  });
  return createCommandContainer(config, log, await openDatabase(config.settings));
}

test('Postgres is asked without any other server', async () => {
  const container = await open({});
  await expect(container.environment.directory.accountIds()).resolves.toEqual([]);
  await expect(container.environment.readiness.database()).resolves.toBeUndefined();
  await container.close();
});

test('what belongs to another server is built when it is called, and asks that server', async () => {
  const container = await open({ TEMPORAL_ADDRESS: NOWHERE });
  await expect(container.environment.readiness.qdrant()).rejects.toThrow();
  await expect(container.environment.text.holdsSecret('a walk in the park')).resolves.toBe(false);
  container.environment.doorbell.ring({
    kind: 'ingest',
    accountId: '0190a0e0-0000-7000-8000-000000000001',
    shard: 0,
  });
  await container.close();
});

test('a part that cannot be built is told at the end, to a command that did not wait for it', async () => {
  const container = await open({});
  container.environment.sweep.soon();
  await expect(container.close()).rejects.toThrow(/TEMPORAL_ADDRESS is not set/);
  await expect(container.environment.directory.accountIds()).rejects.toThrow();
});
