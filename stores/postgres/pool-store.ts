import type { Queryable } from './pool.ts';

/**
 * The base of stores without a transaction of their caller: the pool of a process. Each method is a transaction of its
 * own. It works on one account, or it reads across accounts through functions of the database only.
 */
export abstract class PoolStore {
  protected readonly db: Queryable;

  constructor(db: Queryable) {
    this.db = db;
  }
}
