/**
 * Messages that stand beside others: said directly before or after, in the same session and scope. What a message is
 * found by takes words of its neighbours, but only of those that everybody who reads the message may read. The methods
 * make no other access decision, because what they read goes to the indexes only. Chunks of documents have no neighbours.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { aroundOf, type Around, type StandsBeside } from '../../../domain/retrieval/around.ts';
import { AccountStore } from '../account-store.ts';
import type { Queryable } from '../pool.ts';

/** How far words reach, in messages. */
const REACH = 2;
/** A longer message lends no words: it would be read, and cleaned of secrets, for each of its neighbours. */
export const MOST_LENT_BYTES = 8_192;

const neighbour = z.object({
  /** The message that it stands beside. */
  beside: z.string(),
  /** -1: directly before; 2: the second after. */
  distance: z.number(),
  speaker_peer_id: z.string(),
  role: z.string(),
  /** Null where not everybody who reads the message reads it; empty where it is long and lends no words. */
  content: z.string().nullable(),
});
export type Neighbour = z.infer<typeof neighbour>;

const standsBeside = z.object({ id: z.string(), beside: z.string(), is_after: z.boolean() });

/** Places of messages in their session. */
const PLACE = {
  m: sql.fragment`(m.occurred_at, m.recorded_at, m.id)`,
  n: sql.fragment`(n.occurred_at, n.recorded_at, n.id)`,
};

/** Messages that are looked at on each side for those with the audience of `m`. */
const MOST_MET = 200;

/**
 * The `reach` messages on each side of `m`, as `n` with its `distance`: of those that have its audience, or none as it has
 * none. What is said to others in between, or is not served at all, stands in no conversation that its readers follow.
 */
function besides(reach: number): FragmentSqlToken {
  const side = (is: FragmentSqlToken, order: FragmentSqlToken, sign: number): FragmentSqlToken =>
    sql.fragment`(
      select n.*, ${sign} * row_number() over (order by ${order}) as distance from (
        select n.* from (
          select n.id, n.occurred_at, n.recorded_at, n.speaker_peer_id, n.relay_peer_id, n.role, n.session_id, n.scope_id,
            n.audience_id, n.is_served
          from messages n
          where n.account_id = m.account_id and n.session_id = m.session_id and n.scope_id = m.scope_id and ${is}
          order by ${order} limit ${MOST_MET}
        ) n
        where n.audience_id is not distinct from m.audience_id and n.is_served
        order by ${order} limit ${reach}
      ) n)`;
  const before = sql.fragment`n.occurred_at desc, n.recorded_at desc, n.id desc`;
  const after = sql.fragment`n.occurred_at, n.recorded_at, n.id`;
  return sql.fragment`
    ${side(sql.fragment`${PLACE.n} < ${PLACE.m}`, before, -1)}
    union all ${side(sql.fragment`${PLACE.n} > ${PLACE.m}`, after, 1)}`;
}

/** Whether the peer reads the message `n` because it takes part in the session. */
function takesPart(peer: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`exists (
    select from session_participants p
    where p.account_id = m.account_id and p.session_id = n.session_id and p.scope_id = n.scope_id
      and p.peer_id = ${peer} and (p.reads_whole_session or p.joined_at <= n.recorded_at)
      and (n.audience_id is null or is_addressed(m.account_id, n.audience_id, ${peer})))`;
}

/** Whether `peer`, the speaker or the relay of `m`, reads `n`. A missing relay counts as one that does. */
function reads(peer: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`(${peer} is null or ${peer} = n.speaker_peer_id or ${peer} = n.relay_peer_id
    or ${takesPart(peer)})`;
}

/** Whether everybody who reads the message `m` reads `n`: nobody joined between the two, and who said `m` was there. */
const IS_READ_BY_ALL = sql.fragment`(
  ${reads(sql.fragment`m.speaker_peer_id`)} and ${reads(sql.fragment`m.relay_peer_id`)}
  and not exists (
    select from session_participants p
    where p.account_id = m.account_id and p.session_id = n.session_id and p.scope_id = n.scope_id
      and p.joined_at > n.recorded_at and p.joined_at <= m.recorded_at and not p.reads_whole_session
      and p.peer_id <> n.speaker_peer_id and p.peer_id is distinct from n.relay_peer_id))`;

/**
 * Messages that may have taken words of the given ones, and are none of them: one further away on each side than words
 * reach, because a message that was added in between may not be written yet. One query.
 */
export async function takersOf(
  tx: Queryable,
  accountId: string,
  messageIds: readonly string[],
): Promise<Around> {
  return aroundOf(await messagesAround(tx, accountId, messageIds, REACH + 1), messageIds);
}

async function messagesAround(
  tx: Queryable,
  accountId: string,
  messageIds: readonly string[],
  reach: number,
): Promise<readonly StandsBeside[]> {
  if (messageIds.length === 0) return [];
  return tx.any(sql.type(standsBeside)`
    select n.id, m.id as beside, n.distance > 0 as is_after from messages m
    cross join lateral (${besides(reach)}) n
    where m.account_id = ${accountId}::uuid and m.id = any(${sql.array(messageIds, 'uuid')})
      and m.document_version_id is null`);
}

export class NeighboursStore extends AccountStore {
  /** The neighbours of the messages, each message's in the order of their distance, the nearest first. One query. */
  async of(messageIds: readonly string[]): Promise<readonly Neighbour[]> {
    if (messageIds.length === 0) return [];
    return this.tx.any(sql.type(neighbour)`
      select m.id as beside, n.distance::integer as distance, n.speaker_peer_id, n.role,
        case when ${IS_READ_BY_ALL} then (
          select case when octet_length(t.content) <= ${MOST_LENT_BYTES} then t.content else '' end from messages t
          where t.account_id = m.account_id and t.id = n.id
        ) end as content
      from messages m
      cross join lateral (${besides(REACH)}) n
      where m.account_id = ${this.accountId}::uuid and m.id = any(${sql.array(messageIds, 'uuid')})
        and m.document_version_id is null
      order by m.id, abs(n.distance), n.distance`);
  }

  /** What takes words of the given messages, with the message that it stands beside. One query. */
  around(messageIds: readonly string[]): Promise<readonly StandsBeside[]> {
    return messagesAround(this.tx, this.accountId, messageIds, REACH);
  }
}
