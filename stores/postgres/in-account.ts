/** How an operation reaches the database: one transaction under one account, with every store on it. */
import { withRefusals } from './errors.ts';
import { withAccount, type Queryable } from './pool.ts';
import { createStores, type Stores } from './stores.ts';

/** Milliseconds after which the database ends a statement of the transaction; null or left out: its usual limit. */
export interface TransactionLimits {
  readonly statementTimeoutMs: number | null;
}

/**
 * Runs `work` in one transaction under the row security of the account, with the stores on it. What `work` throws rolls
 * everything back. Throws the `Refusal` that a database error amounts to (`errors.ts`), and any other error as it is.
 * The database may have `work` run again after a deadlock: it must change nothing but through the stores.
 */
export type InAccount = <T>(
  accountId: string,
  work: (stores: Stores) => Promise<T>,
  limits?: TransactionLimits,
) => Promise<T>;

export function createInAccount(db: Queryable): InAccount {
  return (accountId, work, limits) =>
    withRefusals(() =>
      withAccount(db, accountId, (tx) => work(createStores(tx, accountId)), limits),
    );
}
