/**
 * Where the real servers of a test run are. `global-setup` starts them once and leaves their addresses in
 * the environment; VOUCH_TEST_SERVERS, set by hand, names servers that already run.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const schema = z.object({
  /** A superuser address of the Postgres server, without a database name at its end. */
  postgresAdminUrl: z.string(),
  /** The migrated database that test databases are cloned from. */
  templateDatabase: z.string(),
  appPassword: z.string(),
  temporalAddress: z.string(),
  temporalUiUrl: z.string(),
  meilisearch: z.object({ url: z.string(), masterKey: z.string() }),
  qdrant: z.object({ url: z.string(), apiKey: z.string() }),
});

export type StartedServers = z.infer<typeof schema>;

/** The servers of this run. Throws when there are none: a test on real servers never skips. */
export function testServers(): StartedServers {
  const text = process.env['VOUCH_TEST_SERVERS'];
  if (text === undefined) throw new Error('no test servers: run through npm test');
  return schema.parse(JSON.parse(text));
}

/** Variables that name the servers of this run, but for the database, and what lies outside of it, as an operator sets them. */
export function serverVariables(): Readonly<Record<string, string>> {
  const { meilisearch, qdrant, temporalAddress } = testServers();
  return {
    TEMPORAL_ADDRESS: temporalAddress,
    MEILI_HOST: meilisearch.url,
    MEILI_MASTER_KEY: meilisearch.masterKey,
    QDRANT_URL: qdrant.url,
    QDRANT_API_KEY: qdrant.apiKey,
    SERVICE_PROMISES_FILE: join(tmpdir(), 'vouch-test-promises', `${process.pid}.jsonl`),
  };
}

/** A number that a run of the tests may set, such as how many runs a property gets. */
export function testSetting(name: string, otherwise: number): number {
  const text = process.env[name];
  return text === undefined ? otherwise : z.coerce.number().int().parse(text);
}

/**
 * What a run of tests in a copy of the tree needs of this machine: nothing else of the environment. It uses the servers of
 * this run, and has a template database of its own, because the copy may have further migrations.
 */
export function nestedRunEnvironment(
  home: string,
  templateDatabase: string,
): Readonly<Record<string, string>> {
  const { PATH = '', VOUCH_TEST_SERVERS } = process.env;
  const servers =
    VOUCH_TEST_SERVERS === undefined
      ? {}
      : { VOUCH_TEST_SERVERS: JSON.stringify({ ...testServers(), templateDatabase }) };
  return { PATH, HOME: home, CI: 'true', NODE_ENV: 'test', ...servers };
}
