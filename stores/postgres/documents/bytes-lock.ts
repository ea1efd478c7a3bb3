/** The lock of the bytes of a document: an erasure deletes them under it, and a version names them under it. */
import { sql, type FragmentSqlToken } from 'slonik';

/** Held until the transaction ends. `sha256` is lower-case hex. */
export function bytesLock(
  accountId: string,
  sha256: string,
  mode: 'shared' | 'exclusive',
): FragmentSqlToken {
  const key = sql.fragment`hashtextextended(${`bytes/${accountId}/${sha256}`}, 0)`;
  return mode === 'shared'
    ? sql.fragment`select pg_advisory_xact_lock_shared(${key})`
    : sql.fragment`select pg_advisory_xact_lock(${key})`;
}
