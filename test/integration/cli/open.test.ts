/** How a command finds its database: by the environment, or by what a start left in the directory. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql, type DatabasePool } from 'slonik';
import { z } from 'zod';
import { openForCommand } from '../../../runtime/command-line.ts';
import { startEmbedded } from '../../../embedded/index.ts';
import { embeddedAccess, prepareDatabase } from '../../../runtime/start/database.ts';
import type { Config } from '../../../runtime/config/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { removeStart } from '../../../measure/remove-start.ts';

const { signal } = new AbortController();
const NOT_POSTGRES = ['temporal', 'meilisearch', 'qdrant'] as const;
let root: string;
let said: string[];

beforeEach(() => {
  said = [];
});

/** A container that only knows which role it works as. */
async function whoAmI(
  _: Config,
  pool: DatabasePool,
): Promise<{ role: string; close(): Promise<void> }> {
  const role = await pool.oneFirst(
    sql.type(z.object({ role: z.string() }))`select session_user::text as role`,
  );
  return { role, close: () => pool.end() };
}

function open(environment: Readonly<Record<string, string>>) {
  return openForCommand(
    {
      environment: { PATH: '/usr/bin:/bin', HOME: root, ...environment },
      root,
      servers: ['postgres'],
      say: (line) => said.push(line),
      signal,
    },
    whoAmI,
  );
}

describe('in a directory where nothing was started', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cli-'));
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
    removeStart(root);
  });

  test('a command without DATABASE_URL fails and names it as missing', async () => {
    await expect(open({})).rejects.toThrow(/Start a service here first, or set DATABASE_URL/);
  });

  test('a command uses the database that DATABASE_URL names', async () => {
    const opened = await open({ DATABASE_URL: database.appUrl });
    expect(opened.container.role).toBe('vouch_app');
    await opened.close();
    expect(said).toEqual([]);
  });

  test('a command needs the service key when DATABASE_URL does not log in as vouch_app', async () => {
    await expect(open({ DATABASE_URL: database.adminUrl })).rejects.toThrow(/SERVICE_SECRET_KEY/);
  });
});

describe('in a directory whose servers are stopped', () => {
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cli-'));
    const stack = await startEmbedded({
      root,
      env: { PATH: '/usr/bin:/bin', HOME: root },
      say: () => undefined,
      external: NOT_POSTGRES,
    });
    try {
      if (stack.postgres === undefined) throw new Error('Postgres did not start');
      await prepareDatabase(embeddedAccess(stack.postgres));
    } finally {
      await stack.stop();
    }
  });
  afterAll(() => removeStart(root));

  test('a command starts Postgres, and no other server, for its own duration', async () => {
    const opened = await open({});
    expect(opened.container.role).toBe('vouch_app');
    expect(said.filter((line) => line.includes('is ready'))).toEqual([
      expect.stringMatching(/^postgres is ready/),
    ]);
    await opened.close();
    const again = await open({});
    expect(again.container.role).toBe('vouch_app');
    await again.close();
  });

  test('a second command uses the Postgres that the first one started', async () => {
    const first = await open({});
    said = [];
    const second = await open({});
    expect(said).toEqual([]);
    await second.close();
    await first.close();
  });
});
