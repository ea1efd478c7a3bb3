/** Makes a long queue of curators from one item by SQL. */
import type { Client } from 'pg';
import { copyStatements } from '../load/copies.ts';

/** Scopes beside the first one that have a share of the queue. */
const FURTHER_SCOPES = 200;

/**
 * Adds `items` statements that wait for a curator, copied from the first one at `scope`: all about the same person, half
 * of them at `scope`, the others in scopes below it. They fall due one after the other, and no index waits for them.
 */
export async function fillQueue(admin: Client, scope: string, items: number): Promise<void> {
  await copyStatements(admin, scope, items);
  await admin.query('begin');
  await admin.query('set local session_replication_role = replica');
  await admin.query('set local statement_timeout = 0');
  await admin.query(
    `delete from dirty_marks d using scopes s where s.account_id = d.account_id and s.id = d.scope_id and s.path = $1`,
    [scope],
  );
  await admin.query(
    `insert into scopes (account_id, id, path, parent_id)
     select s.account_id, uuidv7(), s.path || '/' || n, s.id
     from scopes s, generate_series(1, ${FURTHER_SCOPES}) n where s.path = $1`,
    [scope],
  );
  await admin.query(
    `create temp table places on commit drop as
     select i.account_id, i.id, i.knowledge_id, i.n,
       case when i.n % 2 = 0 then i.scope_id else below.id end as scope_id
     from (select *, row_number() over (order by id) as n from review_items where decided_at is null) i
     join scopes s on s.account_id = i.account_id and s.id = i.scope_id and s.path = $1
     join scopes below on below.account_id = i.account_id
       and below.path = s.path || '/' || (1 + i.n / 2 % ${FURTHER_SCOPES})`,
    [scope],
  );
  await admin.query(
    `update review_items i set scope_id = p.scope_id, due_at = now() + make_interval(secs => 86400 + p.n * 7919 % 600000)
     from places p where i.account_id = p.account_id and i.id = p.id`,
  );
  for (const [table, id] of [
    ['knowledge', 'id'],
    ['knowledge_submitters', 'knowledge_id'],
  ] as const) {
    await admin.query(
      `update ${table} t set scope_id = p.scope_id
       from places p where t.account_id = p.account_id and t.${id} = p.knowledge_id`,
    );
  }
  await admin.query('commit');
  await admin.query('vacuum analyze');
}
