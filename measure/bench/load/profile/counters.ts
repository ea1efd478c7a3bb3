/** What Postgres counts of its own work, and which SQL statements cost most. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { z } from 'zod';

const counts = z.object({
  transactions: z.coerce.number(),
  rows_inserted: z.coerce.number(),
  rows_updated: z.coerce.number(),
  rows_deleted: z.coerce.number(),
  rows_returned: z.coerce.number(),
  blocks: z.coerce.number(),
  trigger_and_function_calls: z.coerce.number(),
  wal_bytes: z.coerce.number(),
});
export type Counts = z.output<typeof counts>;

const statement = z.object({
  query: z.string(),
  /** Whether the service sent it; else a function of the database runs it. */
  toplevel: z.boolean(),
  calls: z.coerce.number(),
  ms: z.coerce.number(),
  planning_ms: z.coerce.number(),
  rows: z.coerce.number(),
  blocks: z.coerce.number(),
  wal_bytes: z.coerce.number(),
});
export type StatementCost = z.output<typeof statement>;

const table = z.object({
  table: z.string(),
  inserted: z.coerce.number(),
  updated: z.coerce.number(),
  deleted: z.coerce.number(),
  read: z.coerce.number(),
});
export type TableCost = z.output<typeof table>;

/** A backend tells of its counts at most once a second, and when it is idle for longer. */
const TOLD_AFTER_MS = 1_500;

async function readCounts(admin: Client): Promise<Counts> {
  await sleep(TOLD_AFTER_MS);
  const { rows } = await admin.query(`
    select xact_commit + xact_rollback as transactions, tup_inserted as rows_inserted,
      tup_updated as rows_updated, tup_deleted as rows_deleted, tup_returned as rows_returned,
      blks_hit + blks_read as blocks,
      (select coalesce(sum(calls), 0) from pg_stat_user_functions) as trigger_and_function_calls,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal_bytes
    from pg_stat_database where datname = current_database()`);
  return counts.parse(rows[0]);
}

async function readTables(admin: Client): Promise<ReadonlyMap<string, TableCost>> {
  const { rows } = await admin.query(`
    select relname as table, n_tup_ins as inserted, n_tup_upd as updated, n_tup_del as deleted,
      coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
    from pg_stat_user_tables`);
  return new Map(
    z
      .array(table)
      .parse(rows)
      .map((row) => [row.table, row]),
  );
}

/** Statements of the service alone: not of this connection. */
async function readStatements(admin: Client): Promise<readonly StatementCost[]> {
  const { rows } = await admin.query(`
    select regexp_replace(query, '\\s+', ' ', 'g') as query, toplevel, calls, total_exec_time as ms,
      total_plan_time as planning_ms, rows, shared_blks_hit + shared_blks_read as blocks, wal_bytes
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
      and userid <> (select oid from pg_roles where rolname = current_user)
    order by total_exec_time + total_plan_time desc`);
  return z.array(statement).parse(rows);
}

function difference<T extends Record<string, number>>(after: T, before: T): T {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
  ) as T;
}

const written = (row: TableCost): number => row.inserted + row.updated + row.deleted;

export interface DatabaseCosts {
  readonly counts: Counts;
  /** The dearest first. */
  readonly statements: readonly StatementCost[];
  /** The most written first. */
  readonly tables: readonly TableCost[];
}

/** What the database did while `work` ran. Needs `pg_stat_statements`, and a superuser. */
export async function databaseCosts(
  admin: Client,
  work: () => Promise<void>,
): Promise<DatabaseCosts> {
  await admin.query('create extension if not exists pg_stat_statements');
  const [before, tablesBefore] = [await readCounts(admin), await readTables(admin)];
  await admin.query('select pg_stat_statements_reset()');
  await work();
  const [statements, after] = [await readStatements(admin), await readCounts(admin)];
  const tables = [...(await readTables(admin)).values()].map((row) => {
    const was = tablesBefore.get(row.table);
    return {
      table: row.table,
      inserted: row.inserted - (was?.inserted ?? 0),
      updated: row.updated - (was?.updated ?? 0),
      deleted: row.deleted - (was?.deleted ?? 0),
      read: row.read - (was?.read ?? 0),
    };
  });
  return {
    counts: difference(after, before),
    statements,
    tables: tables.toSorted((a, b) => written(b) - written(a)),
  };
}
