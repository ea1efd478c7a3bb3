import type { Queryable } from './pool.ts';

/**
 * What stores without a transaction of their caller are made of: the pool of a process. Each method is a transaction of
 * its own, of one account where it takes one; across accounts it asks functions of the database only.
 */
export abstract class PoolStore {
  protected readonly db: Queryable;

  constructor(db: Queryable) {
    this.db = db;
  }
}
