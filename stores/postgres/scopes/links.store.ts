/** Links between scopes of the account. Callers name two ends in any order; the lower id is stored first. */
import { sql } from 'slonik';
import { z } from 'zod';
import type { LinkedScope } from '../../../domain/identity/links.ts';
import { AccountStore } from '../account-store.ts';
import { isAtOneOf } from './paths.ts';
import type { ScopeRow } from './scopes.store.ts';

const scopeRow = z.object({ id: z.string(), path: z.string() });
const linkedRow = z.object({ chain_scope_id: z.string(), id: z.string(), path: z.string() });
const linkRow = z.object({
  from_scope_path: z.string(),
  to_scope_path: z.string(),
  created_at: z.string(),
});
export type ScopeLinkRow = z.infer<typeof linkRow>;

export class ScopeLinksStore extends AccountStore {
  /**
   * The scopes at the paths that exist. Holds their rows until the end of the transaction, in the order of their ids, so
   * that two changes of the links of one scope follow each other. What refers to the scopes goes on meanwhile.
   */
  async lockEnds(paths: readonly string[]): Promise<readonly ScopeRow[]> {
    return this.tx.any(sql.type(scopeRow)`
      select s.id, s.path from scopes s
      where s.account_id = ${this.accountId}::uuid and ${isAtOneOf(paths, 's')}
      order by s.id for no key update`);
  }

  /** How many links the scope has, at either end. */
  async count(scopeId: string): Promise<number> {
    return this.tx.oneFirst(sql.type(z.object({ links: z.int() }))`
      select (
        (select count(*) from scope_links l
          where l.account_id = ${this.accountId}::uuid and l.low_scope_id = ${scopeId}::uuid)
        + (select count(*) from scope_links l
          where l.account_id = ${this.accountId}::uuid and l.high_scope_id = ${scopeId}::uuid)
      )::integer as links`);
  }

  async exists(one: string, other: string): Promise<boolean> {
    return this.tx.exists(sql.unsafe`
      select from scope_links l
      where l.account_id = ${this.accountId}::uuid
        and l.low_scope_id = least(${one}::uuid, ${other}::uuid)
        and l.high_scope_id = greatest(${one}::uuid, ${other}::uuid)`);
  }

  async insert(one: string, other: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      insert into scope_links (account_id, low_scope_id, high_scope_id)
      values (${this.accountId}::uuid, least(${one}::uuid, ${other}::uuid), greatest(${one}::uuid, ${other}::uuid))`);
  }

  /** Removes the link, and answers whether there was one. */
  async remove(one: string, other: string): Promise<boolean> {
    const { rowCount } = await this.tx.query(sql.unsafe`
      delete from scope_links l
      where l.account_id = ${this.accountId}::uuid
        and l.low_scope_id = least(${one}::uuid, ${other}::uuid)
        and l.high_scope_id = greatest(${one}::uuid, ${other}::uuid)`);
    return rowCount > 0;
  }

  /** The other ends of all links of the scopes, in no order. Who may read them is not decided here. */
  async ofScopes(scopeIds: readonly string[]): Promise<readonly LinkedScope[]> {
    if (scopeIds.length === 0) return [];
    const ids = sql.array(scopeIds, 'uuid');
    return this.tx.any(sql.type(linkedRow)`
      select link.near as chain_scope_id, s.id, s.path
      from (
        select l.low_scope_id as near, l.high_scope_id as far from scope_links l
        where l.account_id = ${this.accountId}::uuid and l.low_scope_id = any(${ids})
        union all
        select l.high_scope_id, l.low_scope_id from scope_links l
        where l.account_id = ${this.accountId}::uuid and l.high_scope_id = any(${ids})
      ) link
      join scopes s on s.account_id = ${this.accountId}::uuid and s.id = link.far`);
  }

  /** All links, or those of one scope, by paths. The path that comes first in the alphabet is `from_scope_path`. */
  async list(scopeId: string | null): Promise<readonly ScopeLinkRow[]> {
    return this.tx.any(sql.type(linkRow)`
      select least(low.path, high.path) as from_scope_path, greatest(low.path, high.path) as to_scope_path,
        l.created_at
      from scope_links l
      join scopes low on low.account_id = l.account_id and low.id = l.low_scope_id
      join scopes high on high.account_id = l.account_id and high.id = l.high_scope_id
      where l.account_id = ${this.accountId}::uuid
        ${scopeId === null ? sql.fragment`` : sql.fragment`and ${scopeId}::uuid in (l.low_scope_id, l.high_scope_id)`}
      order by 1, 2`);
  }
}
