/** Locks per subject: who changes statements takes those of their subjects first, in one order, so that no two wait for each other. */
import { sql, type FragmentSqlToken } from 'slonik';

/**
 * Takes the locks of the subjects, in one order for all transactions, until the transaction ends. It also locks
 * the account row, so that a change of preset waits for decisions by the old rules, and every later decision sees
 * the change. For a CTE or a subquery: answers the number of subjects.
 */
export function subjectLocks(accountId: string, subjectIds: readonly string[]): FragmentSqlToken {
  const keys = subjectIds.map((id) => `${accountId}/${id}`).toSorted();
  return sql.fragment`
    with preset as materialized (
      select a.id from accounts a where a.id = ${accountId}::uuid for key share
    ), locked as materialized (
      select pg_advisory_xact_lock(hashtextextended(key, 0))
      from preset, unnest(${sql.array(keys, 'text')}) as key
    )
    select count(*) from locked`;
}
