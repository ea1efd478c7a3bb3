/**
 * Walks along shelves as SQL: the ids of the best statements that a predicate lets through, read in the order of an
 * index until there are enough. What a walk costs depends on its limit and on its number of scopes, not on how many
 * statements a scope holds.
 */
import { sql, type FragmentSqlToken, type IdentifierSqlToken } from 'slonik';
import type { Walk } from '../../../domain/governance/walks.ts';
import type { ListPlace } from '../../../domain/retrieval/list-place.ts';
import type { Queryable } from '../pool.ts';

/**
 * Statements of one shelf of one scope that a walk meets at most. It goes past its limit only where the predicate stops
 * statements of the shelf: those that have expired, or that were never active before they ended.
 */
export const MOST_MET_PER_SHELF = 1_000;

/** By confidence and then recency, or by what stands out. Of submissions the newest stand out most. */
export type WalkOrder = 'listed' | 'salient';

export interface WalkOptions {
  readonly order: WalkOrder;
  readonly limit: number;
  /** Null from the beginning. Only a walk in the order `listed` begins elsewhere. */
  readonly after: ListPlace | null;
}

const ORDERS = {
  listed: {
    statement: sql.fragment`k.confidence desc, k.recorded_at desc, k.id`,
    submission: sql.fragment`s.confidence desc, s.recorded_at desc, s.knowledge_id`,
  },
  salient: {
    statement: sql.fragment`k.salience desc, k.id`,
    submission: sql.fragment`s.recorded_at desc, s.knowledge_id`,
  },
} as const;

const sorting = (setting: 'on' | 'off') => sql.unsafe`
  select set_config('enable_sort', ${setting}, true), set_config('enable_incremental_sort', ${setting}, true)`;

/**
 * Runs a query that walks. Where the planner expects one row it takes sorting for as cheap as walking, and would read
 * and sort a shelf of a hundred thousand statements. So it is told to sort only what no index gives in order. Nor may it
 * complete an order that another index begins: that index may lead past all statements about a peer.
 */
export async function walking<T>(tx: Queryable, query: () => Promise<T>): Promise<T> {
  await tx.query(sorting('off'));
  const result = await query();
  await tx.query(sorting('on'));
  return result;
}

/** Whether the principal `named.id` can be named in the scope `place.id`: a role only where it is held. */
const MAY_BE_NAMED = sql.fragment`
  split_part(named.id, '/', 2) in ('', split_part(named.id, place.id || '/', 2))`;

/** The lists that name people beside statements: whoever submitted one, and whoever one with an audience is addressed to. */
export interface NamingList {
  readonly table: IdentifierSqlToken;
  /** Those whose lists are read, for an `unnest` with the column `id`. */
  readonly names: FragmentSqlToken;
  /** Whether a row, by the alias `s`, names `named.id`. */
  readonly isOf: FragmentSqlToken;
  /** Whether `named.id` can be named in the scope `place.id`. */
  readonly mayBe: FragmentSqlToken;
}

/** What these peers submitted. */
export function submittedBy(peerIds: readonly string[]): NamingList {
  return {
    table: sql.identifier(['knowledge_submitters']),
    names: sql.fragment`${sql.array(peerIds, 'uuid')}`,
    isOf: sql.fragment`s.peer_id = named.id`,
    mayBe: sql.fragment`true`,
  };
}

/** What has an audience that names one of these principals. */
export function addressedTo(principals: readonly string[]): NamingList {
  return {
    table: sql.identifier(['knowledge_addressees']),
    names: sql.fragment`${sql.array(principals, 'text')}`,
    isOf: sql.fragment`s.principal = named.id`,
    mayBe: MAY_BE_NAMED,
  };
}

/** The list that a walk reads instead of a shelf; null where it reads a shelf. */
export function namingListOf({ shelf }: Pick<Walk, 'shelf'>): NamingList | null {
  if ('submitterId' in shelf) return submittedBy([shelf.submitterId]);
  return 'addressees' in shelf ? addressedTo(shelf.addressees) : null;
}

/** True of every statement on the shelf. The state is a literal, so that the planner sees that a partial index fits. */
export function isOnShelf({ state, shelf }: Walk): FragmentSqlToken {
  const isOfState = sql.fragment`k.state = ${sql.literalValue(state)}::knowledge_state`;
  if ('submitterId' in shelf || 'addressees' in shelf) return isOfState;
  if ('audience' in shelf) {
    return sql.fragment`${isOfState} and k.shelf = ${`${state}/${shelf.audience}`}`;
  }
  return sql.fragment`${isOfState} and k.shelf = ${`${state}/few`} and k.subject_peer_id = ${shelf.subjectId}::uuid
    and k.sensitivity in ('personal', 'restricted') and k.target_level = 'peer'`;
}

/** What stands after the place in the list. The first condition is one of the index, the second settles ties. */
function isAfter(place: ListPlace | null, alias: 'k' | 's'): FragmentSqlToken {
  if (place === null) return sql.fragment`true`;
  const { confidence, id, recordedAt } = place;
  const row = (name: string) => sql.fragment`${sql.identifier([alias, name])}`;
  const at = sql.fragment`(${row('confidence')}, ${row('recorded_at')})`;
  const last = sql.fragment`(${confidence}::float8, ${recordedAt}::timestamptz)`;
  const rowId = row(alias === 'k' ? 'id' : 'knowledge_id');
  return sql.fragment`${at} <= ${last} and (${at} <> ${last} or ${rowId} > ${id}::uuid)`;
}

function walk(
  one: Walk,
  visible: FragmentSqlToken,
  { after, limit, order }: WalkOptions,
): FragmentSqlToken {
  const by = ORDERS[order];
  const scopes = sql.array(one.scopeIds, 'uuid');
  const list = namingListOf(one);
  if (list === null) {
    return sql.fragment`
      select met.id from unnest(${scopes}) as place (id) cross join lateral (
        select k.id from (
          select k.* from knowledge k where k.scope_id = place.id and ${isOnShelf(one)} and ${isAfter(after, 'k')}
          order by ${by.statement} limit ${MOST_MET_PER_SHELF}
        ) k where ${visible} order by ${by.statement} limit ${limit}
      ) met`;
  }
  return sql.fragment`
    select met.id from unnest(${scopes}) as place (id) cross join unnest(${list.names}) as named (id)
    cross join lateral (
      select k.id from (
        select s.* from ${list.table} s
        where ${list.isOf} and s.scope_id = place.id and s.state = ${one.state}
          and ${isAfter(after, 's')}
        order by ${by.submission} limit ${MOST_MET_PER_SHELF}
      ) s
      cross join lateral (
        select k.* from knowledge k where k.account_id = s.account_id and k.id = s.knowledge_id offset 0
      ) k
      where ${isOnShelf(one)} and ${visible} order by ${by.submission} limit ${limit}
    ) met where ${list.mayBe}`;
}

/**
 * A query of `id`: from each walk and scope the first `limit` statements that `visible` lets through, once each.
 * `visible` is the predicate over the alias `k`.
 */
export function renderWalks(
  walks: readonly Walk[],
  visible: FragmentSqlToken,
  options: WalkOptions,
): FragmentSqlToken {
  if (walks.length === 0) return sql.fragment`select null::uuid as id where false`;
  const each = walks.map((one) => walk(one, visible, options));
  return sql.fragment`${sql.join(each, sql.fragment` union `)}`;
}
