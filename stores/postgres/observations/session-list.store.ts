/** Sessions and what was said in them, in lists: of scopes, and of a peer that was there. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { ERROR_CLASSES } from '../../../domain/error-class.ts';
import { MOST_COUNTED } from '../../../domain/observations/listed.ts';
import type { AnchorStatus } from '../../../domain/observations/requeue.ts';
import { AccountStore } from '../account-store.ts';
import { isNotErasing } from '../visibility/erasing.ts';
import { isMeantFor, wasThere } from '../visibility/messages.ts';
import { ownMessageText } from '../visibility/own-words.ts';

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Characters of a message that an excerpt is cut from. */
const LONGEST_PASSAGE = 2_048;

/** Messages of a session that one page looks at. */
const MOST_WALKED = 2_000;
/** Scopes of a session that are looked up. */
const MOST_SESSION_SCOPES = 100;

const sessionRow = z.object({
  id: z.string(),
  scope_id: z.string(),
  scope_path: z.string(),
  /** Null for the session that holds the passages of a document. */
  external_id: z.string().nullable(),
  began_at: z.string(),
  /** Messages that the reader may see; one more than is counted where there are more. */
  messages: z.number(),
});
export type ListedSessionRow = z.infer<typeof sessionRow>;

const messageRow = z.object({
  id: z.string(),
  scope_path: z.string(),
  /** Null for a passage of a document. */
  session_id: z.string().nullable(),
  document_version_id: z.string().nullable(),
  document_title: z.string().nullable(),
  speaker_key: z.string(),
  speaker_name: z.string(),
  role: z.string(),
  occurred_at: z.string(),
  passage: z.string(),
  is_cut: z.boolean(),
  status: z.enum(['pending', 'failed', 'completed', 'repairable', 'terminal']),
  error_class: z.enum(ERROR_CLASSES).nullable(),
  attempt_count: z.number(),
  was_there: z.boolean(),
  is_for_reader: z.boolean(),
  /** Whether its speaker is not being erased. */
  is_shown: z.boolean(),
});
export type ListedMessageRow = z.infer<typeof messageRow>;

const placeRow = z.object({ session_id: z.string(), scope_id: z.string(), scope_path: z.string() });

interface Page {
  /** Scopes of which everything is listed. */
  readonly scopeIds: readonly string[];
  /** The peer whose own is listed wherever it is. Null: nobody's. */
  readonly peerId: string | null;
  readonly limit: number;
}

export type SessionsPage = Page & {
  /** The last session of the page before, in its scope. */
  readonly after: { readonly sessionId: string; readonly scopeId: string } | null;
};

export type MessagesPage = Page & {
  readonly afterId: string | null;
  /** Of the scopes, messages in this state alone; what the peer said is listed whatever its state. */
  readonly status: Exclude<AnchorStatus, 'completed'> | null;
};

export interface SessionMessagesPage {
  readonly sessionId: string;
  /** Scopes of the session of which everything is listed. */
  readonly scopeIds: readonly string[];
  /** Scopes of the session in which the peer reads what it was there for. */
  readonly attendedScopeIds: readonly string[];
  readonly peerId: string | null;
  readonly status: AnchorStatus | null;
  readonly afterId: string | null;
  readonly limit: number;
}

/** Whether the peer was there when the message was said; nobody never was. */
function isThere(peerId: string | null, m: string): FragmentSqlToken {
  return peerId === null ? sql.fragment`false` : wasThere(sql.fragment`${peerId}::uuid`, m);
}

/** Who may see a message is for the caller of these functions to judge, but where they say so. */
export class SessionListStore extends AccountStore {
  /** The session with that name in each of its scopes, at most 100; empty where there is none. */
  async placesOf(externalId: string): Promise<readonly z.infer<typeof placeRow>[]> {
    return this.tx.any(sql.type(placeRow)`
      select s.id as session_id, link.scope_id, place.path as scope_path
      from sessions s
      join session_scopes link on link.account_id = s.account_id and link.session_id = s.id
      join scopes place on place.account_id = link.account_id and place.id = link.scope_id
      where s.account_id = ${this.accountId}::uuid and s.external_id = ${externalId}
      order by link.scope_id limit ${MOST_SESSION_SCOPES}`);
  }

  /**
   * The newest sessions of the scopes, and of those that the peer takes part in. Counts of each up to 101 messages that
   * it holds, or that the peer was there for. One query.
   */
  async sessions({
    after,
    limit,
    peerId,
    scopeIds,
  }: SessionsPage): Promise<readonly ListedSessionRow[]> {
    const account = sql.fragment`${this.accountId}::uuid`;
    const scopes = sql.array(scopeIds, 'uuid');
    const peer = sql.fragment`${peerId}::uuid`;
    const before = sql.fragment`(${after?.sessionId ?? LAST_ID}::uuid, ${after?.scopeId ?? LAST_ID}::uuid)`;
    return this.tx.any(sql.type(sessionRow)`
      with picked as materialized (
        select session_id, scope_id from (
          select of_scope.session_id, of_scope.scope_id from unnest(${scopes}) as place (id)
          cross join lateral (
            select link.session_id, link.scope_id from session_scopes link
            where link.account_id = ${account} and link.scope_id = place.id
              and link.session_id <= ${after?.sessionId ?? LAST_ID}::uuid
              and (link.session_id, link.scope_id) < ${before}
            order by link.session_id desc limit ${limit}
          ) of_scope
          union
          (select p.session_id, p.scope_id from session_participants p
            where p.account_id = ${account} and p.peer_id = ${peer} and (p.session_id, p.scope_id) < ${before}
            order by p.session_id desc, p.scope_id desc limit ${limit})
        ) candidate
        order by session_id desc, scope_id desc limit ${limit}
      )
      select s.id, picked.scope_id, place.path as scope_path, s.external_id, link.linked_at as began_at, said.messages
      from picked
      join sessions s on s.account_id = ${account} and s.id = picked.session_id
      join session_scopes link on link.account_id = ${account} and link.session_id = picked.session_id
        and link.scope_id = picked.scope_id
      join scopes place on place.account_id = ${account} and place.id = picked.scope_id
      left join lateral (
        -- Limited, so that no plan reads all participations of the peer for each session.
        select p.reads_whole_session, p.joined_at from session_participants p
        where p.account_id = ${account} and p.session_id = picked.session_id and p.scope_id = picked.scope_id
          and p.peer_id = ${peer}
        limit 1
      ) mine on true
      cross join lateral (
        select count(*)::integer as messages from (
          select from messages m
          where m.account_id = ${account} and m.session_id = picked.session_id and m.scope_id = picked.scope_id
            and (picked.scope_id = any(${scopes}) or mine.reads_whole_session or m.recorded_at >= mine.joined_at)
            and ${isMeantFor(peerId)}
          order by m.occurred_at desc, m.recorded_at desc, m.id desc limit ${MOST_COUNTED + 1}
        ) counted
      ) said
      order by picked.session_id desc, picked.scope_id desc`);
  }

  /**
   * The newest messages of the scopes, and of those that the peer said or passed on, in the order of their ids. Reads as
   * many of each scope as the page has, those too whose audience leaves the reader out (`is_for_reader`). One query.
   */
  async messages({
    afterId,
    limit,
    peerId,
    scopeIds,
    status,
  }: MessagesPage): Promise<readonly ListedMessageRow[]> {
    const account = sql.fragment`${this.accountId}::uuid`;
    const before = sql.fragment`${afterId ?? LAST_ID}::uuid`;
    const own = (role: 'speaker_peer_id' | 'relay_peer_id'): FragmentSqlToken => sql.fragment`
      (select m.id from messages m
        where m.account_id = ${account} and ${sql.identifier(['m', role])} = ${peerId}::uuid and m.id < ${before}
        order by m.id desc limit ${limit})`;
    const inState =
      status === null
        ? sql.fragment`true`
        : sql.fragment`a.status = ${sql.literalValue(status)}::extraction_status and a.status <> 'completed'`;
    const picked = sql.fragment`
      select id from (
        select of_scope.id from unnest(${sql.array(scopeIds, 'uuid')}) as place (id)
        cross join lateral (
          select a.message_id as id from extraction_anchors a
          where a.account_id = ${account} and a.scope_id = place.id and a.message_id < ${before} and ${inState}
          order by a.message_id desc limit ${limit}
        ) of_scope
        union ${own('speaker_peer_id')} union ${own('relay_peer_id')}
      ) candidate
      order by id desc limit ${limit}`;
    return this.shown(picked, peerId, sql.fragment`m.id desc`);
  }

  /**
   * What was said last in a session, in its scopes, the latest first: of some everything, of others what the peer was
   * there for. Looks at 2,000 messages; a page after a message that the peer may not see is empty. One query.
   */
  async ofSession(page: SessionMessagesPage): Promise<readonly ListedMessageRow[]> {
    const { afterId, attendedScopeIds, limit, peerId, scopeIds, sessionId, status } = page;
    const account = sql.fragment`${this.accountId}::uuid`;
    const mayRead = (m: string): FragmentSqlToken => sql.fragment`(
      ${sql.identifier([m, 'scope_id'])} = any(${sql.array(scopeIds, 'uuid')}) and ${isMeantFor(peerId, m)}
      or ${isThere(peerId, m)})`;
    const after =
      afterId === null
        ? sql.fragment`true`
        : sql.fragment`(m.occurred_at, m.recorded_at, m.id) < (
            select last.occurred_at, last.recorded_at, last.id from messages last
            where last.account_id = ${account} and last.id = ${afterId}::uuid and ${mayRead('last')})`;
    const latest = sql.fragment`m.occurred_at desc, m.recorded_at desc, m.id desc`;
    const inState =
      status === null
        ? sql.fragment`true`
        : sql.fragment`exists (select from extraction_anchors a
            where a.account_id = ${account} and a.message_id = m.id and a.status = ${status}::extraction_status)`;
    const picked = sql.fragment`
      select m.id from (
        select walked.* from unnest(${sql.array([...scopeIds, ...attendedScopeIds], 'uuid')}) as place (id)
        cross join lateral (
          select m.* from messages m
          where m.account_id = ${account} and m.session_id = ${sessionId}::uuid and m.scope_id = place.id and ${after}
          order by ${latest} limit ${MOST_WALKED}
        ) walked
        order by walked.occurred_at desc, walked.recorded_at desc, walked.id desc limit ${MOST_WALKED}
      ) m
      where ${mayRead('m')} and ${inState}
      order by ${latest} limit ${limit}`;
    return this.shown(picked, peerId, latest);
  }

  private async shown(
    picked: FragmentSqlToken,
    peerId: string | null,
    order: FragmentSqlToken,
  ): Promise<readonly ListedMessageRow[]> {
    const account = sql.fragment`${this.accountId}::uuid`;
    return this.tx.any(sql.type(messageRow)`
      with picked as materialized (${picked})
      select m.id, place.path as scope_path, s.external_id as session_id, m.document_version_id,
        version.title as document_title, speaker.key as speaker_key, speaker.name as speaker_name, m.role,
        m.occurred_at, substr(own.text, 1, ${LONGEST_PASSAGE}) as passage,
        octet_length(own.text) > octet_length(substr(own.text, 1, ${LONGEST_PASSAGE})) as is_cut, a.status, a.last_error_class as error_class,
        a.attempt_count, ${isThere(peerId, 'm')} as was_there, ${isMeantFor(peerId)} as is_for_reader,
        ${isNotErasing(account, sql.fragment`m.speaker_peer_id`)} as is_shown
      from picked
      join messages m on m.account_id = ${account} and m.id = picked.id
      cross join lateral (select ${ownMessageText(peerId)} as text) own
      join extraction_anchors a on a.account_id = ${account} and a.message_id = m.id
      join sessions s on s.account_id = ${account} and s.id = m.session_id
      join scopes place on place.account_id = ${account} and place.id = m.scope_id
      join peers speaker on speaker.account_id = ${account} and speaker.id = m.speaker_peer_id
      left join document_versions version on version.account_id = ${account} and version.id = m.document_version_id
      order by ${order}`);
  }
}
