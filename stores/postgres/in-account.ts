/** Access to the data of an account: one transaction under that account, with every store on it. */
import { withRefusals } from './errors.ts';
import { withAccount, type Queryable, type TransactionLimits } from './pool.ts';
import { createStores, type Stores } from './stores.ts';

/**
 * Runs `work` in one transaction under the row security of the account, with the stores on it. If `work` throws, the
 * transaction rolls back. After a deadlock `work` may run again, so it must change data only through the stores.
 */
export type InAccount = <T>(
  accountId: string,
  work: (stores: Stores) => Promise<T>,
  limits?: TransactionLimits,
) => Promise<T>;

/** For work that a worker retries: errors of the database are thrown unchanged. */
export function createInAccount(db: Queryable): InAccount {
  return (accountId, work, limits) =>
    withAccount(db, accountId, (tx) => work(createStores(tx, accountId)), limits);
}

/** For operations: a database error that a caller may learn of is thrown as its `Refusal` (`errors.ts`). */
export function createRefusingInAccount(db: Queryable): InAccount {
  const inAccount = createInAccount(db);
  return (accountId, work, limits) => withRefusals(() => inAccount(accountId, work, limits));
}
