import type { Queryable } from './pool.ts';

/** The base of every store of an account: one transaction under the row security of one account. */
export abstract class AccountStore {
  protected readonly tx: Queryable;
  protected readonly accountId: string;

  constructor(tx: Queryable, accountId: string) {
    this.tx = tx;
    this.accountId = accountId;
  }
}
