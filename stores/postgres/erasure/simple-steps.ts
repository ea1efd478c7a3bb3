/** Steps of an erasure that decide nothing: what they find goes, or loses the person's name. */
import { sql } from 'slonik';
import { z } from 'zod';
import type { Queryable } from '../pool.ts';
import { waitingAnchors } from './waiting-anchors.ts';
import { markUnits } from '../indexes/mark-units.ts';
import { deleteStatements, NOTHING_LEFT, type ErasurePage, type PageReport } from './page.ts';
import { subjectLocks } from '../subject-locks.ts';

const id = z.object({ id: z.string() });

/** The name of a credential that says nothing any more. */
const SCRUBBED = 'erased';

/** Extractions that wait for a worker, or that one works at: with their anchors goes what they would commit. */
export async function eraseAnchors(tx: Queryable, page: ErasurePage): Promise<PageReport> {
  const { accountId, limit, peerId } = page;
  const { rowCount } = await tx.query(sql.unsafe`
    with found as (
      ${waitingAnchors(sql.fragment`${accountId}::uuid`, sql.fragment`${peerId}::uuid`, limit)}
    ), waiting as materialized (
      select a.message_id from extraction_anchors a
      where a.account_id = ${accountId} and a.message_id in (select message_id from found)
      order by a.message_id for update
    )
    delete from extraction_anchors a using waiting
    where a.account_id = ${accountId} and a.message_id = waiting.message_id`);
  return { ...NOTHING_LEFT, more: rowCount > 0 };
}

/** Statements about the person. */
export async function eraseStatements(tx: Queryable, page: ErasurePage): Promise<PageReport> {
  const { accountId, limit, peerId } = page;
  await tx.query(sql.unsafe`${subjectLocks(accountId, [peerId])}`);
  const ids = await tx.anyFirst(sql.type(id)`
    select k.id from knowledge k
    where k.account_id = ${accountId} and k.subject_peer_id = ${peerId}::uuid
    order by k.recorded_at desc limit ${limit}`);
  await deleteStatements(tx, page, ids);
  const erased = { statements_deleted: ids.length };
  return { more: ids.length === limit, erased, marked: ids.length > 0 };
}

/** What the person passed on for others stays; the person's name at it goes, as one who submitted it. */
export async function eraseRelays(tx: Queryable, page: ErasurePage): Promise<PageReport> {
  const { accountId, limit, peerId } = page;
  const relayed = await tx.anyFirst(sql.type(id)`
    select m.id from messages m
    where m.account_id = ${accountId} and m.relay_peer_id = ${peerId}::uuid order by m.id limit ${limit}`);
  if (relayed.length === 0) return NOTHING_LEFT;
  const cited = await tx.any(sql.type(z.object({ id: z.string(), subject_id: z.string() }))`
    select distinct k.id, coalesce(k.subject_peer_id, k.subject_scope_id) as subject_id
    from provenance p join knowledge k on k.account_id = p.account_id and k.id = p.knowledge_id
    where p.account_id = ${accountId} and p.message_id = any(${sql.array(relayed, 'uuid')})`);
  const subjects = [...new Set(cited.map((row) => row.subject_id))];
  const ids = cited.map((row) => row.id);
  if (subjects.length > 0) await tx.query(sql.unsafe`${subjectLocks(accountId, subjects)}`);
  await tx.query(sql.unsafe`select erase_relays(${accountId}, ${sql.array(relayed, 'uuid')})`);
  await tx.query(sql.unsafe`select recount_evidence(${accountId}, ${sql.array(ids, 'uuid')})`);
  await markUnits(tx, accountId, 'message', relayed);
  await markUnits(tx, accountId, 'statement', ids);
  return {
    more: relayed.length === limit,
    erased: { relays_scrubbed: relayed.length },
    marked: true,
  };
}

/** The person leaves its sessions. A session in which nothing is left that was said loses the id that callers gave it. */
export async function eraseSessions(tx: Queryable, page: ErasurePage): Promise<PageReport> {
  const { accountId, limit, peerId } = page;
  const left = await tx.anyFirst(sql.type(z.object({ session_id: z.string() }))`
    with attended as materialized (
      select p.session_id, p.scope_id from session_participants p
      where p.account_id = ${accountId} and p.peer_id = ${peerId}::uuid
      order by p.session_id, p.scope_id limit ${limit}
    )
    delete from session_participants p using attended
    where p.account_id = ${accountId} and p.peer_id = ${peerId}::uuid
      and p.session_id = attended.session_id and p.scope_id = attended.scope_id
    returning p.session_id`);
  await tx.query(sql.unsafe`
    update sessions s set external_id = gen_random_uuid()::text
    where s.account_id = ${accountId} and s.id = any(${sql.array([...new Set(left)], 'uuid')})
      and s.external_id is not null and not exists (
        select from messages m where m.account_id = s.account_id and m.session_id = s.id)`);
  await tx.query(sql.unsafe`
    delete from speaker_turns where account_id = ${accountId} and speaker_peer_id = ${peerId}::uuid`);
  await tx.query(sql.unsafe`
    update mailboxes
    set turn_speaker_id = nullif(turn_speaker_id, ${peerId}::uuid),
      retry_speaker_id = nullif(retry_speaker_id, ${peerId}::uuid)
    where account_id = ${accountId} and ${peerId}::uuid in (turn_speaker_id, retry_speaker_id)`);
  return {
    more: left.length === limit,
    erased: { sessions_left: new Set(left).size },
    marked: false,
  };
}

/** A page of the tokens and sessions that the person signed in with; answers how many. */
async function eraseTokens(tx: Queryable, { accountId, limit, peerId }: ErasurePage) {
  const account = sql.fragment`account_id = ${accountId}`;
  const tokens = await tx.anyFirst(sql.type(id)`
    select id from credentials
    where ${account} and login_id = any(array(select id from logins where ${account} and peer_id = ${peerId}::uuid))
    limit ${limit}`);
  const isOne = sql.fragment`${account} and credential_id = any(${sql.array([...tokens], 'uuid')})`;
  await tx.query(sql.unsafe`delete from idempotency_records where ${isOne}`);
  await tx.query(sql.unsafe`delete from browser_sessions where ${isOne}`);
  await tx.query(sql.unsafe`
    delete from credentials where ${account} and id = any(${sql.array([...tokens], 'uuid')})`);
  return tokens.length;
}

/** A page of the circles that the person leaves, and of the members that it added. Answers whether the page was full. */
async function leaveCircles(tx: Queryable, { accountId, limit, peerId }: ErasurePage) {
  const left = await tx.query(sql.unsafe`
    delete from circle_members m where m.account_id = ${accountId} and m.peer_id = ${peerId}::uuid
      and m.circle_id = any(array(
        select own.circle_id from circle_members own
        where own.account_id = ${accountId} and own.peer_id = ${peerId}::uuid limit ${limit}))`);
  const added = await tx.query(sql.unsafe`
    with added as materialized (
      select m.circle_id, m.peer_id from circle_members m
      where m.account_id = ${accountId} and m.added_by_peer_id = ${peerId}::uuid
      order by m.circle_id, m.peer_id limit ${limit} for update
    )
    update circle_members m set added_by_peer_id = null from added
    where m.account_id = ${accountId} and m.circle_id = added.circle_id and m.peer_id = added.peer_id`);
  return left.rowCount === limit || added.rowCount === limit;
}

/**
 * A page of the audiences that name the person. Each keeps its other names, and stays an audience where none is left; it
 * is no longer the one that callers mean who send the other names. Answers whether the page was full.
 */
async function leaveAudiences(tx: Queryable, { accountId, limit, peerId }: ErasurePage) {
  const { rowCount } = await tx.query(sql.unsafe`
    with named as (
      delete from audience_members m where m.account_id = ${accountId} and m.principal = ${peerId}
        and m.audience_id = any(array(
          select own.audience_id from audience_members own
          where own.account_id = ${accountId} and own.principal = ${peerId} limit ${limit}))
      returning m.audience_id
    )
    update audiences a set digest = null from named where a.account_id = ${accountId} and a.id = named.audience_id`);
  const addressed = await tx.query(sql.unsafe`
    delete from knowledge_addressees a where a.account_id = ${accountId} and a.principal = ${peerId}
      and a.knowledge_id = any(array(
        select own.knowledge_id from knowledge_addressees own
        where own.account_id = ${accountId} and own.principal = ${peerId} limit ${limit}))`);
  return rowCount === limit || addressed.rowCount === limit;
}

/** A page of what the person said of items of the queue, and of its decisions that wait. Answers whether it was full. */
async function leaveDesk(tx: Queryable, { accountId, limit, peerId }: ErasurePage) {
  const said = await tx.query(sql.unsafe`
    delete from review_words w where w.account_id = ${accountId} and w.review_item_id = any(array(
      select own.review_item_id from review_words own
      where own.account_id = ${accountId} and own.peer_id = ${peerId}::uuid limit ${limit}))`);
  const decided = await tx.query(sql.unsafe`
    delete from scheduled_decisions d where d.account_id = ${accountId} and d.review_item_id = any(array(
      select own.review_item_id from scheduled_decisions own
      where own.account_id = ${accountId} and own.decided_by = ${peerId}::uuid limit ${limit}))`);
  return said.rowCount === limit || decided.rowCount === limit;
}

/** A page of the holds that the person asked for or decided about: they go on without a name. Answers whether it was full. */
async function leaveHolds(tx: Queryable, { accountId, limit, peerId }: ErasurePage) {
  const left = await tx.query(sql.unsafe`
    with own as materialized (
      (select h.id from forget_holds h
        where h.account_id = ${accountId} and h.requester_peer_id = ${peerId}::uuid limit ${limit})
      union
      (select h.id from forget_holds h
        where h.account_id = ${accountId} and h.decided_by = ${peerId}::uuid limit ${limit})
    )
    update forget_holds h set
      requester_peer_id = nullif(h.requester_peer_id, ${peerId}::uuid),
      credential_id = case when h.requester_peer_id = ${peerId}::uuid then null else h.credential_id end,
      decided_by = nullif(h.decided_by, ${peerId}::uuid)
    from own where h.account_id = ${accountId} and h.id = own.id`);
  return left.rowCount >= limit;
}

/**
 * Login, grants, circles, credentials and preferences: first the tokens and the circles, page by page, then the rest. A
 * key stays in the list of keys, as one that was revoked, without a name, a place or a secret that anybody could know.
 */
export async function eraseIdentity(tx: Queryable, page: ErasurePage): Promise<PageReport> {
  const { accountId, limit, peerId } = page;
  const tokens = await eraseTokens(tx, page);
  if (tokens === limit) {
    return { more: true, erased: { credentials_ended: tokens }, marked: false };
  }
  if (await leaveCircles(tx, page)) return { ...NOTHING_LEFT, more: true };
  if (await leaveAudiences(tx, page)) return { ...NOTHING_LEFT, more: true };
  if (await leaveHolds(tx, page)) return { ...NOTHING_LEFT, more: true };
  if (await leaveDesk(tx, page)) return { ...NOTHING_LEFT, more: true };
  const isHers = sql.fragment`account_id = ${accountId} and peer_id = ${peerId}::uuid`;
  await tx.query(sql.unsafe`
    delete from idempotency_records
    where account_id = ${accountId} and credential_id in (select id from credentials where ${isHers})`);
  await tx.query(sql.unsafe`
    delete from browser_sessions
    where account_id = ${accountId} and credential_id in (select id from credentials where ${isHers})`);
  const ended = await tx.query(sql.unsafe`
    update credentials
    set name = ${SCRUBBED}, pin_path = null, expires_at = null,
      secret_hash = sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')),
      revoked_at = coalesce(revoked_at, clock_timestamp())
    where ${isHers} and name is distinct from ${SCRUBBED}`);
  await tx.query(sql.unsafe`delete from grants where ${isHers}`);
  await tx.query(sql.unsafe`delete from ask_preferences where ${isHers}`);
  const isHerPlace = sql.fragment`account_id = ${accountId} and target_id = ${peerId}::uuid`;
  await tx.query(sql.unsafe`delete from projection_marks where ${isHerPlace}`);
  await tx.query(sql.unsafe`delete from projection_work where ${isHerPlace}`);
  await tx.query(sql.unsafe`delete from logins where ${isHers}`);
  return { more: false, erased: { credentials_ended: tokens + ended.rowCount }, marked: false };
}
