/**
 * Administrators of the account: peers with account-admin at `/`, to whom nothing is denied there, and who can sign in
 * with a login that is open. A key does not count: it may expire, and its owner cannot prove who it is.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';

const isThere = z.object({ is_there: z.boolean() });

/** Whether an administrator of the account is there `which` the fragment leaves. */
function administrator(accountId: string, which: FragmentSqlToken) {
  // Scalar subqueries: an administrator is found step by step, however many people sign in.
  return sql.type(isThere)`
    select (
      select true from grants g
      where g.account_id = ${accountId} and g.scope_path_hash = text_sha256('/') and g.role = 'account_admin'
        and g.effect = 'allow' and g.peer_id is not null ${which}
        and (select l.id from logins l
          where l.account_id = g.account_id and l.peer_id = g.peer_id and l.closed_at is null) is not null
        and (select true from grants denied
          where denied.account_id = g.account_id and denied.peer_id = g.peer_id and denied.effect = 'deny'
            and denied.scope_path_hash = text_sha256('/') limit 1) is null
      limit 1) is not null as is_there`;
}

export class AdminsStore extends AccountStore {
  /**
   * Lets the account lose an administrator in one transaction at a time: holds the lock until the end of the
   * transaction. Taken before any other lock.
   */
  async lock(): Promise<void> {
    await this.tx.query(sql.unsafe`
      select from accounts where id = ${this.accountId} for no key update`);
  }

  /** Whether there is any. */
  async exist(): Promise<boolean> {
    return this.tx.oneFirst(administrator(this.accountId, sql.fragment``));
  }

  /** Whether the peer is an administrator. */
  async includes(peerId: string): Promise<boolean> {
    const which = sql.fragment`and g.peer_id = ${peerId}::uuid`;
    return this.tx.oneFirst(administrator(this.accountId, which));
  }

  /** Whether anybody but the peer is one. */
  async hasOther(peerId: string): Promise<boolean> {
    const which = sql.fragment`and g.peer_id <> ${peerId}::uuid`;
    return this.tx.oneFirst(administrator(this.accountId, which));
  }
}
