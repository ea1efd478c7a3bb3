/**
 * Statements that something new may repeat in other words: those that the index may not show yet, and those refused. Read
 * before the index is asked, and again under the locks of the subjects.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { OPEN_STATES } from '../../../domain/statements/statement.ts';
import type { Queryable } from '../pool.ts';
import { subject } from './state.ts';

/** Statements that the index may not show and that are compared with what is said now, the newest. */
const MOST_UNSHOWN = 256;
/** Statements about one subject that may wait for the index: so many are looked at, the newest. */
const MOST_OF_A_SUBJECT = 64;
/** A transaction that records a statement ends within this time. */
const RECORDED_WITHIN_MS = 5_000;
/** Refused statements of one subject that are compared with what is said now ... */
const MOST_REFUSED = 250;
/** ... and of all subjects of a commit. */
const MOST_REFUSED_OF_A_COMMIT = 2_000;

const comparedRow = z
  .object({ id: z.string(), subject_id: z.string(), text: z.string(), refused: z.boolean() })
  .transform(({ subject_id: subjectId, ...row }) => ({ ...row, subjectId }));
export type ComparedStatement = z.infer<typeof comparedRow>;

/** What an answer of the index may lack, whenever it is asked from now on. */
export interface Unshown {
  /** Statements that wait for the index. */
  readonly ids: readonly string[];
  /** Those recorded later may be lacking too. A time of the database. */
  readonly since: string;
}

/**
 * What the index may not show of the statements about these subjects. Ask before the index is asked. One query, which
 * looks at the newest 64 statements about each peer and the newest 256 about scopes, and answers 256 at most.
 */
export function unshownStatements(
  tx: Queryable,
  accountId: string,
  subjectIds: readonly string[],
): Promise<Unshown> {
  const row = z.object({ ids: z.array(z.string()), since: z.string() });
  const newest = sql.fragment`select k.id, k.subject_scope_id, k.recorded_at from knowledge k
    where k.account_id = ${accountId}::uuid`;
  return tx.one(sql.type(row)`
    select (clock_timestamp() - make_interval(secs => ${RECORDED_WITHIN_MS / 1000}))::text as since,
      array(
        select k.id from (
          (select newest.id, newest.recorded_at
          from unnest(${sql.array(subjectIds, 'uuid')}) as asked (id) cross join lateral (
            ${newest} and k.subject_peer_id = asked.id
            order by k.recorded_at desc limit ${MOST_OF_A_SUBJECT}
          ) newest)
          union all
          (select newest.id, newest.recorded_at from (
            ${newest} and k.subject_peer_id is null
            order by k.recorded_at desc limit ${MOST_UNSHOWN}
          ) newest where newest.subject_scope_id = any(${sql.array(subjectIds, 'uuid')}))
        ) k where exists (
          select from dirty_marks m
          where m.account_id = ${accountId}::uuid and m.engine = 'qdrant' and m.unit = 'statement' and m.unit_id = k.id)
        order by k.recorded_at desc, k.id limit ${MOST_UNSHOWN}
      ) as ids`);
}

/**
 * Statements about these subjects that something new may repeat in other words: open ones that the index may not show
 * (`unshown`; none unless given), and refused ones, the newest first. Read under the subjects' locks.
 */
export function comparedStatements(
  tx: Queryable,
  accountId: string,
  subjectIds: readonly string[],
  unshown: Unshown = { ids: [], since: 'infinity' },
): Promise<readonly ComparedStatement[]> {
  const columns = sql.fragment`select k.id, ${subject} as subject_id, k.statement as text, k.recorded_at
    from knowledge k`;
  const mayBeRepeated = sql.fragment`k.account_id = ${accountId}::uuid and k.statement is not null
    and k.state = any(${sql.array([...OPEN_STATES], 'text')}::knowledge_state[])`;
  const isRecent = sql.fragment`${mayBeRepeated} and k.recorded_at > ${unshown.since}::timestamptz`;
  // Row security keeps a coalesced subject from being a condition of an index. What was refused to some takes no place of
  // what was refused to all.
  const refusedOf = (isAbout: FragmentSqlToken) => {
    const newest = (isFor: FragmentSqlToken) => sql.fragment`(
      ${columns}
      where k.account_id = ${accountId}::uuid and ${isAbout} and k.statement is not null
        and k.state in ('redacted', 'rejected', 'contested') and ${isFor}
      order by k.recorded_at desc limit ${MOST_REFUSED})`;
    return sql.fragment`${newest(sql.fragment`k.audience_id is null`)}
      union all ${newest(sql.fragment`k.audience_id is not null`)}`;
  };
  return tx.any(sql.type(comparedRow)`
    (select id, subject_id, text, false as refused from (
      ${columns} where ${isRecent} and k.subject_peer_id = any(${sql.array(subjectIds, 'uuid')})
      union all
      ${columns} where ${isRecent} and k.subject_peer_id is null
        and k.subject_scope_id = any(${sql.array(subjectIds, 'uuid')})
      union all
      ${columns} where ${mayBeRepeated} and k.recorded_at <= ${unshown.since}::timestamptz
        and k.id = any(${sql.array(unshown.ids, 'uuid')})
    ) unshown
    order by recorded_at desc, id limit ${MOST_UNSHOWN})
    union all
    (select refused.id, refused.subject_id, refused.text, true
    from unnest(${sql.array(subjectIds, 'uuid')}) as asked (id) cross join lateral (
      ${refusedOf(sql.fragment`k.subject_peer_id = asked.id`)}
      union all
      ${refusedOf(sql.fragment`k.subject_peer_id is null and k.subject_scope_id = asked.id`)}
    ) refused
    order by refused.recorded_at desc, refused.id limit ${MOST_REFUSED_OF_A_COMMIT})`);
}
