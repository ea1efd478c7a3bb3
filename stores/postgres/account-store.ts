import type { Queryable } from './pool.ts';

/** What every store of an account is made of: one transaction, which runs under the row security of one account. */
export abstract class AccountStore {
  protected readonly tx: Queryable;
  protected readonly accountId: string;

  constructor(tx: Queryable, accountId: string) {
    this.tx = tx;
    this.accountId = accountId;
  }
}
