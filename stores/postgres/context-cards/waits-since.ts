/** Whether a place of context cards waits to be built, as an expression of queries. */
import { sql, type FragmentSqlToken } from 'slonik';

/** When the place `p` was marked, of the oldest row of the table; null without one. One look into an index. */
function oldestOf(accountId: string, table: 'projection_marks' | 'projection_work') {
  return sql.fragment`(
    select m.marked_at from ${sql.identifier([table])} m
    where m.account_id = ${accountId}::uuid and m.target_id = p.target_id and m.scope_id = p.scope_id
      and m.kind = p.kind
    order by m.marked_at limit 1)`;
}

/** Since when the place `p` of the surrounding query waits to be built; null when it does not. */
export function waitsSince(accountId: string): FragmentSqlToken {
  return sql.fragment`least(${oldestOf(accountId, 'projection_marks')}, ${oldestOf(accountId, 'projection_work')})`;
}
