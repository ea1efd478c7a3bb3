/** What the service has open in the database while a search is waited for. */
import type { SearchScene } from './scene.ts';

/**
 * Transactions of the service in the database, those that wait for a lock among them. Of the service alone: Postgres
 * vacuums by itself when it likes, in a transaction.
 */
export async function transactions({
  sql,
}: Pick<SearchScene, 'sql'>): Promise<{ open: number; waiting: number; waits: unknown }> {
  const [row = {}] = await sql(
    `select count(*)::integer as open,
       count(*) filter (where wait_event_type = 'Lock')::integer as waiting,
       min(pid) filter (where wait_event_type = 'Lock') as waits
     from pg_stat_activity
     where datname = current_database() and usename = 'vouch_app' and state <> 'idle'`,
  );
  return { open: Number(row['open']), waiting: Number(row['waiting']), waits: row['waits'] };
}
