/** Of which scopes lists of sources show everything, and how a page of them is filled. */
import { invalidField } from '../../domain/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { isWithin, parseScopePath, type ScopePath } from '../../domain/scopes/path.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { boundedField } from '../fields/read.ts';
import { scopesOfRole } from '../access/scopes-of-role.ts';
import { subtreeField } from '../fields/subtree.ts';

/** Scopes that one list may take together. */
const MOST_SCOPES = 500;
/** Times that a list looks further for one page, where what it finds is for somebody else or fits no filter. */
const MOST_LOOKS = 10;

export const withinField = subtreeField.meta({
  description: 'Only sources of this scope and its descendants. Absent: of the whole account.',
});

export const pageLimitField = boundedField({
  least: 1,
  most: 100,
  unless: 50,
  what: 'The most results to return.',
});

/** The scopes at the path and below it that the caller curates. Throws `invalid_request` where these are too many. */
export async function curatedScopeIds(
  stores: Stores,
  caller: Caller,
  path: ScopePath,
): Promise<readonly string[]> {
  const limit = MOST_SCOPES + 1;
  const scopes = await scopesOfRole(stores, caller, { within: path, role: 'curator', limit });
  if (scopes.length > MOST_SCOPES) {
    const why = `has more than ${MOST_SCOPES} scopes that you curate: name one further down`;
    throw invalidField('scope_path', why);
  }
  return scopes.map(({ id }) => id);
}

/** Whether the scope at `at` is the one at `path`, or below it. */
export function isAtOrBelow(at: string, path: ScopePath): boolean {
  const place = parseScopePath(at);
  return place !== null && isWithin(place, path);
}

export interface FilledPage<Row> {
  readonly rows: readonly Row[];
  /** The row after which the next page begins; null at the end of the list. */
  readonly last: Row | null;
}

/** How far a page looks for what fits. */
export interface Looks {
  /** Rows that one look takes in. */
  readonly atOnce: number;
  readonly most: number;
}

/**
 * Fills a page of `limit` rows that `fits` lets through. `next` gives the rows after one, one more than a look takes in:
 * unless told, as many as the page has, ten times at most. Then the page ends early, and the next one goes on from there.
 */
export async function fillPage<Row>(
  limit: number,
  next: (after: Row | null) => Promise<readonly Row[]>,
  fits: (row: Row) => boolean,
  { atOnce, most }: Looks = { atOnce: limit, most: MOST_LOOKS },
): Promise<FilledPage<Row>> {
  const rows: Row[] = [];
  let last: Row | null = null;
  for (let look = 0; look < most; look += 1) {
    const found = await next(last);
    for (const row of found.slice(0, atOnce)) {
      if (rows.length === limit) return { rows, last };
      last = row;
      if (fits(row)) rows.push(row);
    }
    if (found.length <= atOnce) return { rows, last: null };
    if (rows.length === limit) return { rows, last };
  }
  return { rows, last };
}
