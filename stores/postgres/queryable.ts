/** What runs SQL: a pool, a connection or a transaction. */
import type { CommonQueryMethods } from 'slonik';

/** A pool, a connection or a transaction: all of them send SQL. */
export type Queryable = CommonQueryMethods;
