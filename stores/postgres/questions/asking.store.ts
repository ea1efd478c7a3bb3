/**
 * Handing out questions: which one a person may be asked now, beside what is read for that person. All of it runs under
 * a lock that a read takes or does without, so that of two reads at once only one asks.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { Condition } from '../../../domain/governance/visibility.ts';
import {
  COOLDOWN_HOURS,
  MOST_LOOKED_AT,
  MOST_LOOKED_AT_OF_A_SCOPE,
  MOST_PER_DAY,
  MOST_PER_SESSION,
  ASKED_KINDS,
} from '../../../domain/questions/words.ts';
import { AccountStore } from '../account-store.ts';
import { renderReadable } from '../visibility/statements.ts';

const lockRow = z.object({ is_mine: z.boolean(), is_asked: z.boolean() });

const askableRow = z.object({
  id: z.string(),
  kind: z.enum(ASKED_KINDS),
  session_id: z.string(),
  statement: z.string(),
  last_delivered_at: z.string().nullable(),
  /** Where the statement would be shared, of questions for consent. */
  target_scope_path: z.string().nullable(),
});
/** A question that the person may be asked now. */
export type AskableQuestion = z.infer<typeof askableRow>;

/** The reader of the read, with its scopes. */
export interface AskingRead {
  readonly peerId: string;
  /** As callers name it. */
  readonly sessionId: string;
  readonly scopeIds: readonly string[];
  /** The statements that the reader may be asked about. */
  readonly visible: Condition;
}

export interface Delivery {
  readonly question: AskableQuestion;
  readonly peerId: string;
  readonly credentialId: string;
  /** The operation that it came with. */
  readonly operation: string;
}

const hoursAgo = (hours: number): FragmentSqlToken =>
  sql.fragment`now() - make_interval(hours => ${hours})`;

/** Questions that are handed out, of one account. */
export class AskingStore extends AccountStore {
  /** Whether the person has an open question, and this transaction is the one that may ask. Waits for nobody. */
  async mayAsk(peerId: string): Promise<boolean> {
    const key = `${this.accountId}/${peerId}/questions`;
    const row = await this.tx.one(sql.type(lockRow)`
      select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as is_mine,
        exists (select from questions q
          where q.account_id = ${this.accountId}::uuid and q.peer_id = ${peerId}::uuid and q.ended_at is null) as is_asked`);
    return row.is_mine && row.is_asked;
  }

  /**
   * Questions that the person may be asked in this session, the earliest deadline first: none where the person took no
   * part in it, was asked often enough, wants a pause, or has a question that is not answered.
   */
  async askable(read: AskingRead): Promise<readonly AskableQuestion[]> {
    const account = sql.fragment`${this.accountId}::uuid`;
    const peer = sql.fragment`${read.peerId}::uuid`;
    const scopes = sql.array(read.scopeIds, 'uuid');
    const delivered = (of: FragmentSqlToken, most: number) => sql.fragment`
      (select count(*) from (
        select from question_deliveries d
        where d.account_id = ${account} and d.peer_id = ${peer} and ${of} limit ${most}) counted)`;
    const inSession = sql.fragment`d.session_id = session.id`;
    const lately = sql.fragment`d.delivered_at > ${hoursAgo(24)}`;
    return this.tx.any(sql.type(askableRow)`
      with session as materialized (
        select s.id from sessions s
        where s.account_id = ${account} and s.external_id = ${read.sessionId} and exists (
          select from session_participants p
          where p.account_id = s.account_id and p.session_id = s.id and p.peer_id = ${peer} and p.scope_id = any(${scopes}))
      ), allowed as materialized (
        select session.id from session
        left join ask_preferences wish on wish.account_id = ${account} and wish.peer_id = ${peer}
        where (wish.paused_until is null or wish.paused_until <= now())
          and ${delivered(inSession, MOST_PER_SESSION)} < least(wish.max_per_session, ${MOST_PER_SESSION})
          and ${delivered(lately, MOST_PER_DAY)} < least(wish.max_per_day, ${MOST_PER_DAY})
          and not exists (
            select from question_deliveries d
            join questions q on q.account_id = d.account_id and q.id = d.question_id and q.ended_at is null
            where d.account_id = ${account} and d.peer_id = ${peer} and d.verdict is null
              and d.delivered_at > ${hoursAgo(COOLDOWN_HOURS)})
      )
      select open.id, open.kind, allowed.id as session_id, k.statement, open.last_delivered_at,
        (select target.path from scopes target
          where target.account_id = ${account} and target.id = open.target_scope_id) as target_scope_path
      from allowed cross join unnest(${scopes}) as place (scope_id) cross join lateral (
        select q.id, q.kind, q.knowledge_id, q.statement_hash, q.deadline_at, q.last_delivered_at, q.target_scope_id
        from questions q
        where q.account_id = ${account} and q.peer_id = ${peer} and q.scope_id = place.scope_id and q.ended_at is null
          and q.deadline_at > now()
          and (q.last_delivered_at is null or q.last_delivered_at <= ${hoursAgo(COOLDOWN_HOURS)})
        order by q.deadline_at, q.id limit ${MOST_LOOKED_AT_OF_A_SCOPE}
      ) open
      join knowledge k on k.account_id = ${account} and k.id = open.knowledge_id
        and k.statement_hash = open.statement_hash and k.statement is not null and k.scope_id = any(${scopes})
        and k.subject_peer_id = ${peer}
      where ${renderReadable(read.visible)}
      order by open.deadline_at, open.id limit ${MOST_LOOKED_AT}`);
  }

  /** Writes that the question is handed out. Null where it ended meanwhile, or was handed out a moment ago. */
  async deliver({ credentialId, operation, peerId, question }: Delivery): Promise<string | null> {
    return this.tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
      with handed as (
        update questions q set last_delivered_at = now()
        where q.account_id = ${this.accountId}::uuid and q.id = ${question.id}::uuid and q.ended_at is null
          and (q.last_delivered_at is null or q.last_delivered_at <= ${hoursAgo(COOLDOWN_HOURS)})
        returning q.id
      )
      insert into question_deliveries (account_id, id, question_id, session_id, peer_id, credential_id, operation,
        delivered_at)
      select ${this.accountId}::uuid, ${uuidv7()}, handed.id, ${question.session_id}::uuid, ${peerId}::uuid,
        ${credentialId}::uuid, ${operation}, now()
      from handed
      returning id`);
  }

  /** Takes back a delivery that nobody was told of. */
  async takeBack(
    deliveryId: string,
    { id, last_delivered_at: before }: AskableQuestion,
  ): Promise<void> {
    await this.tx.query(sql.unsafe`
      with gone as (
        delete from question_deliveries
        where account_id = ${this.accountId}::uuid and id = ${deliveryId}::uuid and verdict is null
        returning question_id
      )
      update questions q set last_delivered_at = ${before}::timestamptz
      from gone where q.account_id = ${this.accountId}::uuid and q.id = gone.question_id and q.id = ${id}::uuid`);
  }
}
