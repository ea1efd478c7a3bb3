/**
 * What Postgres counts of the work of a database: rows, transactions, SQL statements, triggers, log and blocks. Beside it,
 * the requests of this process to the indexes.
 */
import { Client } from 'pg';
import { z } from 'zod';
import { copyStatements } from '../../../measure/bench/load/copies.ts';
import type { TestDatabase } from '../../support/database.ts';
import { testServers } from '../../support/environment.ts';
import { eventually } from '../../support/patience.ts';
import { requestsSent } from './requests.ts';

const counts = z.object({
  statements: z.coerce.number(),
  transactions: z.coerce.number(),
  inserted: z.coerce.number(),
  updated: z.coerce.number(),
  deleted: z.coerce.number(),
  read: z.coerce.number(),
  triggers: z.coerce.number(),
  wal: z.coerce.number(),
  blocks: z.coerce.number(),
  qdrant: z.number(),
  meilisearch: z.number(),
});
export type Counts = z.output<typeof counts>;
export type Count = keyof Counts;

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const SERVER_COUNTS = `
  select d.xact_commit + d.xact_rollback as transactions, s.calls as statements, s.wal_bytes as wal, s.blocks
  from pg_stat_database d, (
    select coalesce(sum(calls), 0) as calls, coalesce(sum(wal_bytes), 0) as wal_bytes,
      coalesce(sum(shared_blks_hit + shared_blks_read), 0) as blocks
    from pg_stat_statements(false) s
    where s.dbid = (select oid from pg_database where datname = $1)
      and s.userid = (select oid from pg_roles where rolname = 'vouch_app')
  ) s
  where d.datname = $1`;

const DATABASE_COUNTS = `
  select coalesce(sum(n_tup_ins), 0) as inserted, coalesce(sum(n_tup_upd), 0) as updated,
    coalesce(sum(n_tup_del), 0) as deleted,
    coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0) as read,
    (select coalesce(sum(f.calls), 0) from pg_stat_user_functions f
      join pg_proc p on p.oid = f.funcid where p.prorettype = 'trigger'::regtype) as triggers
  from pg_stat_user_tables`;

/**
 * The counts of the database up to now. Nobody may be connected to it: a connection tells what it did at its end. The
 * extension stands in the server's own database, so that reading is no work of the database that is read.
 */
export function readCounts({ adminUrl, name }: TestDatabase): Promise<Counts> {
  return connected(`${testServers().postgresAdminUrl}/postgres`, async (server) => {
    await server.query('create extension if not exists pg_stat_statements');
    await eventually(async () => {
      const { rowCount } = await server.query('select from pg_stat_activity where datname = $1', [
        name,
      ]);
      return rowCount === 0;
    });
    const { rows } = await server.query(SERVER_COUNTS, [name]);
    const ofDatabase = await connected(adminUrl, async (client) => {
      const answer = await client.query(DATABASE_COUNTS);
      return answer.rows[0];
    });
    return counts.parse({ ...rows[0], ...ofDatabase, ...requestsSent() });
  });
}

/** From now on nobody but a test looks after the tables: a vacuum is work of its own, and new statistics are other plans. */
export function stopAutovacuum({ adminUrl }: TestDatabase): Promise<void> {
  return connected(adminUrl, async (client) => {
    const { rows } = await client.query(
      "select format('alter table %I set (autovacuum_enabled = false)', relname) as command from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    for (const { command } of rows) await client.query(command);
  });
}

/** Whether nothing is left for the indexes. */
export function nothingIsMarked({ adminUrl }: TestDatabase): Promise<boolean> {
  return connected(adminUrl, async (client) => {
    const { rowCount } = await client.query('select from dirty_marks limit 1');
    return rowCount === 0;
  });
}

/** Adds statements of the scope, copies of one with other texts, which stand in no index. */
export function addStatements({ adminUrl }: TestDatabase, scope: string, amount: number) {
  return connected(adminUrl, (client) =>
    copyStatements(client, scope, amount, { isMarked: false }),
  );
}

/** Does what a vacuum of its own accord would do some time. */
export function vacuum({ adminUrl }: TestDatabase): Promise<void> {
  return connected(adminUrl, async (client) => {
    await client.query('vacuum analyze');
  });
}

/** What was counted between two readings, less `besides`, for one of so many units. */
export function perUnit(
  before: Counts,
  after: Counts,
  besides: Counts | null,
  units: number,
): Counts {
  const of = (name: Count): number =>
    Math.max(0, after[name] - before[name] - (besides?.[name] ?? 0)) / units;
  return counts.parse(
    Object.fromEntries(Object.keys(before).map((name) => [name, of(name as Count)])),
  );
}
