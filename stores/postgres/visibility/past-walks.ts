/**
 * Walks along the beliefs of a past instant as SQL: the periods that had begun last and had not ended, by who might read
 * them. What a walk costs depends on its bound and on its number of scopes, not on how much was ever believed. The
 * predicate decides afterwards on every period: no limit lies between, so what it stops takes no place of another row.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import type { Walk } from '../../../domain/governance/walks.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { MOST_MET_PER_SHELF, namingListOf, type NamingList } from './walks.ts';

/**
 * What the beliefs of each index have in common, by who might read them. A belief has no shelf: its sensitivity says who
 * that is. What has ended since stands apart from what has not. The literals let the planner see that a partial index
 * fits.
 */
const KINDS = {
  public: active(sql.fragment`p.sensitivity = 'public'`),
  internal: active(sql.fragment`p.sensitivity = 'internal'`),
  guarded: active(sql.fragment`p.sensitivity in ('personal', 'restricted')`),
  provisional: [sql.fragment`p.state = 'provisional' and p.audience_id is null`],
  addressed: [sql.fragment`p.audience_id is not null`],
} as const;
type Kind = keyof typeof KINDS;

function active(ofSensitivity: FragmentSqlToken): readonly FragmentSqlToken[] {
  return [
    sql.fragment`p.state = 'active' and ${ofSensitivity} and p.believed_until is null
      and p.audience_id is null`,
    sql.fragment`p.state = 'active' and ${ofSensitivity} and p.believed_until is not null
      and p.audience_id is null`,
  ];
}

function kindsOf({ shelf, state }: Walk): readonly Kind[] {
  if ('submitterId' in shelf || 'addressees' in shelf) return [];
  if (state === 'provisional') return ['provisional'];
  if (!('audience' in shelf)) return ['guarded'];
  switch (shelf.audience) {
    case 'addressed':
      return ['addressed'];
    case 'everybody':
      return ['public'];
    case 'scope':
      return ['internal', 'guarded'];
    case 'few':
      return ['guarded'];
  }
}

/** States of today in which a statement may be whose past belief is read. */
const READABLE_STATES = KNOWLEDGE_STATES.filter(
  (state) => state !== 'redacted' && state !== 'retracted',
);

function isOpenAt(asOf: string): FragmentSqlToken {
  return sql.fragment`(p.believed_until is null or p.believed_until > ${asOf}::timestamptz)`;
}

/** All scopes of the walks that have a key. */
function scopesBy<Key>(
  walks: readonly Walk[],
  keysOf: (walk: Walk) => readonly Key[],
): ReadonlyMap<Key, ReadonlySet<string>> {
  const scopes = new Map<Key, Set<string>>();
  for (const walk of walks) {
    for (const key of keysOf(walk)) {
      const ids = scopes.get(key) ?? new Set();
      for (const id of walk.scopeIds) ids.add(id);
      scopes.set(key, ids);
    }
  }
  return scopes;
}

function begunLast(
  isOfIndex: FragmentSqlToken,
  scopeIds: ReadonlySet<string>,
  asOf: string,
): FragmentSqlToken {
  return sql.fragment`
    select p.id from unnest(${sql.array([...scopeIds], 'uuid')}) as place (id) cross join lateral (
      select p.id, p.believed_until from belief_periods p
      where p.scope_id = place.id and ${isOfIndex} and p.believed_from <= ${asOf}::timestamptz
      order by p.believed_from desc limit ${MOST_MET_PER_SHELF}
    ) p where ${isOpenAt(asOf)}`;
}

/**
 * The newest that the reader had submitted, or that was addressed to it, by what has become of it: so what ended takes no
 * place of what did not.
 */
function ofList(
  { isOf, mayBe, names, table }: NamingList,
  scopeIds: ReadonlySet<string>,
  asOf: string,
): FragmentSqlToken {
  return sql.fragment`
    select p.id from unnest(${sql.array([...scopeIds], 'uuid')}) as place (id)
    cross join unnest(${names}) as named (id)
    cross join lateral (
      select s.account_id, s.knowledge_id
      from unnest(${sql.array(READABLE_STATES, 'text')}) as today (state) cross join lateral (
        select s.* from ${table} s
        where ${isOf} and s.scope_id = place.id and s.state = today.state
          and s.recorded_at <= ${asOf}::timestamptz
        order by s.recorded_at desc, s.knowledge_id limit ${MOST_MET_PER_SHELF}
      ) s
    ) s
    cross join lateral (
      select p.* from belief_periods p
      where p.account_id = s.account_id and p.knowledge_id = s.knowledge_id
        and p.believed_from <= ${asOf}::timestamptz and ${isOpenAt(asOf)}
      order by p.believed_from desc limit 1
    ) p where p.state in ('active', 'provisional') and ${mayBe}`;
}

/**
 * A query of the `id` of periods, once each: for each scope those of active beliefs that had begun last, and those of
 * the reader's own submissions and what was addressed to it. `asOf` is ISO 8601.
 */
export function renderPastWalks(walks: readonly Walk[], asOf: string): FragmentSqlToken {
  const byList = Map.groupBy(
    walks.filter((walk) => namingListOf(walk) !== null),
    ({ shelf }) => JSON.stringify(shelf),
  );
  const each = [
    ...[...scopesBy(walks, kindsOf)].flatMap(([kind, ids]) =>
      KINDS[kind].map((isOfIndex) => begunLast(isOfIndex, ids, asOf)),
    ),
    ...[...byList.values()].flatMap(([first, ...others]) => {
      const list = first === undefined ? null : namingListOf(first);
      if (first === undefined || list === null) return [];
      const ids = new Set([first, ...others].flatMap(({ scopeIds }) => scopeIds));
      return [ofList(list, ids, asOf)];
    }),
  ];
  if (each.length === 0) return sql.fragment`select null::uuid as id where false`;
  return sql.fragment`${sql.join(each, sql.fragment` union `)}`;
}
