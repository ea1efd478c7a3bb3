import type { Promised } from '../../domain/promises/kinds.ts';
import type { Queryable } from './pool.ts';
import { promise } from './promised.ts';

/** The base of every store of an account: one transaction under the row security of one account. */
export abstract class AccountStore {
  protected readonly tx: Queryable;
  protected readonly accountId: string;

  constructor(tx: Queryable, accountId: string) {
    this.tx = tx;
    this.accountId = accountId;
  }

  /** Has it written to the list of promises right before the transaction commits. */
  protected promise(promised: Promised): void {
    promise(this.tx, promised);
  }
}
