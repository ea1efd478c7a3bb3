/** How account data is reached: one transaction under one account, with every store on it. */
import { withRefusals } from './errors.ts';
import { withAccount, type Queryable, type TransactionLimits } from './pool.ts';
import { createStores, type Stores } from './stores.ts';

/**
 * Runs `work` in one transaction under the row security of the account, with the stores on it. What `work` throws rolls
 * everything back. It may run again after a deadlock: it must change nothing but through the stores.
 */
export type InAccount = <T>(
  accountId: string,
  work: (stores: Stores) => Promise<T>,
  limits?: TransactionLimits,
) => Promise<T>;

/** For work that a worker retries: errors of the database arrive as they are. */
export function createInAccount(db: Queryable): InAccount {
  return (accountId, work, limits) =>
    withAccount(db, accountId, (tx) => work(createStores(tx, accountId)), limits);
}

/** For operations: a database error that a caller may be told of arrives as its `Refusal` (`errors.ts`). */
export function createRefusingInAccount(db: Queryable): InAccount {
  const inAccount = createInAccount(db);
  return (accountId, work, limits) => withRefusals(() => inAccount(accountId, work, limits));
}
