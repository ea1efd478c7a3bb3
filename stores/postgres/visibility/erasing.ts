/**
 * The condition that leaves out a person during the erasure of that person: until the erasure is complete, no read
 * returns a statement about the person.
 */
import { sql, type FragmentSqlToken } from 'slonik';

/**
 * Whether the peer is not being erased; true of none. `account` and `peer` are expressions of the surrounding query. A
 * scalar subquery: a look through the key for each row, where an anti-join would read all peers of the account.
 */
export function isNotErasing(account: FragmentSqlToken, peer: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`(
    select erased.erasing_at from peers erased
    where erased.account_id = ${account} and erased.id = ${peer}) is null`;
}

/**
 * The same for a query that looks at thousands of rows: who is being erased is read once, from the requests that are open.
 * A person whose erasure is complete has no rows any more. `account` is no expression of the surrounding query.
 */
export function isNoneOfErasing(
  account: FragmentSqlToken,
  peer: FragmentSqlToken,
): FragmentSqlToken {
  return sql.fragment`(${peer} is null or ${peer} not in (
    select open.peer_id from erasure_requests open where open.account_id = ${account} and open.peer_id is not null))`;
}
