/** Scopes of the account, found by their paths. */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { scopeChain, type ScopePath } from '../../../domain/scopes/path.ts';
import { AccountStore } from '../account-store.ts';
import { LEAST_ID, type IdPage } from '../id-page.ts';
import { isAtOneOf, subtreeOf } from './paths.ts';
import { storedScopePath } from './stored-path.ts';

const scopeRow = z.object({ id: z.string(), path: z.string() });
export type ScopeRow = z.infer<typeof scopeRow>;

/** Scopes of the account. */
export class ScopesStore extends AccountStore {
  /** Those of the paths that exist, outermost first. */
  async find(paths: readonly string[]): Promise<readonly ScopeRow[]> {
    if (paths.length === 0) return [];
    return this.tx.any(sql.type(scopeRow)`
      select s.id, s.path from scopes s
      where s.account_id = ${this.accountId}::uuid and ${isAtOneOf(paths, 's')}
      order by char_length(s.path), s.path`);
  }

  /** The path of the scope, or null. */
  async pathOf(id: string): Promise<ScopePath | null> {
    return this.tx.maybeOneFirst(sql.type(z.object({ path: storedScopePath }))`
      select s.path from scopes s where s.account_id = ${this.accountId}::uuid and s.id = ${id}::uuid`);
  }

  /** A page of all scopes, in the order of their ids. */
  async list({ after, limit }: IdPage): Promise<readonly ScopeRow[]> {
    return this.tx.any(sql.type(scopeRow)`
      select s.id, s.path from scopes s
      where s.account_id = ${this.accountId}::uuid and s.id > ${after ?? LEAST_ID}::uuid
      order by s.id limit ${limit}`);
  }

  /** The scope at the path, which is taken literally, and all scopes below it; empty when it does not exist. */
  async subtree(path: string): Promise<readonly ScopeRow[]> {
    return this.tx.any(sql.type(scopeRow)`
      ${subtreeOf(sql.fragment`${this.accountId}::uuid`, path)}`);
  }

  /**
   * Holds the row of the scope until the end of the transaction, so that changes of what is kept for the scope follow
   * each other. What refers to the scope goes on meanwhile.
   */
  async lock(scopeId: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      select from scopes where account_id = ${this.accountId}::uuid and id = ${scopeId}::uuid for no key update`);
  }

  /** Creates the scopes of the path's chain that do not exist, and answers the id of the last. */
  async ensureChain(path: ScopePath): Promise<string> {
    const ids = scopeChain(path).map(() => uuidv7());
    return this.tx.oneFirst(sql.type(scopeRow.pick({ id: true }))`
      select ensure_scope_chain(${this.accountId}, ${path}, ${sql.array(ids, 'uuid')}) as id`);
  }
}
