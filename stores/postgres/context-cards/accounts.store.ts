/** In which accounts something is to be built or summarised. */
import { sql } from 'slonik';
import { z } from 'zod';
import { PoolStore } from '../pool-store.ts';

export class ContextCardAccountsStore extends PoolStore {
  /** The accounts that follow `afterId`, in order, at most `limit`. */
  async waiting(afterId: string | null, limit: number): Promise<readonly string[]> {
    return this.db.anyFirst(sql.type(z.object({ account_id: z.string() }))`
      select account_id from lookup_accounts_to_project(${afterId}::uuid, ${limit})`);
  }
}
