/**
 * The first transaction of a search. It reads the reader, the values of the profile, the rows that the search needs
 * before it asks the indexes, and the names that the query may mean.
 */
import type { KnownName } from '../../domain/entities/resolution.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import type { SearchDependencies } from './dependencies.ts';
import { asksForNames, entityViewOf } from './entities.ts';
import { needsReading, NOTHING_READ, readBefore, type ReadBefore } from './prepare.ts';
import type { QueryPlan } from '../text/query-plan.ts';
import type { AnySearchRequest, SearchRequest } from './request.ts';
import { readRowsThen, type LaterRows } from './rows.ts';

export interface FirstRead {
  readonly request: SearchRequest;
  readonly before: ReadBefore;
  /** Still being read, as a search can do without them; null where no strategy looks names up. */
  readonly names: LaterRows<readonly KnownName[]> | null;
}

interface AuthorisedRead extends Pick<FirstRead, 'request' | 'before'> {
  readonly asksForNames: boolean;
}

async function authoriseAndRead(
  stores: Stores,
  plan: QueryPlan,
  asked: AnySearchRequest,
): Promise<AuthorisedRead> {
  const { sourceFilters } = asked;
  const request = 'authorise' in asked ? { ...asked, ...(await asked.authorise(stores)) } : asked;
  const before = needsReading(plan, sourceFilters)
    ? await readBefore(stores, plan, request)
    : NOTHING_READ;
  return { request, before, asksForNames: asksForNames(plan, request) };
}

/** Runs the first transaction. It sends Postgres nothing if the request names its reader and has no words. */
export async function readInFirstTransaction(
  dependencies: SearchDependencies,
  plan: QueryPlan,
  asked: AnySearchRequest,
): Promise<FirstRead> {
  if (!('authorise' in asked) && !needsReading(plan, asked.sourceFilters)) {
    return { request: asked, before: NOTHING_READ, names: null };
  }
  const { later, rows } = await readRowsThen(
    dependencies,
    asked,
    (stores) => authoriseAndRead(stores, plan, asked),
    async (stores, { asksForNames: asks, request: { reader, scopeIds } }) =>
      asks ? stores.entities.known(plan.names, scopeIds, entityViewOf(reader)) : [],
  );
  const { asksForNames: asks, before, request } = rows;
  return { request, before, names: asks ? later : null };
}
