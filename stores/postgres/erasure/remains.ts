/** What Postgres still holds of a person who is being erased: the reading back that verifies an erasure. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { waitingAnchors } from './waiting-anchors.ts';
import type { Queryable } from '../pool.ts';

/**
 * Rows that must be gone, by their place in the registry; each query stops at the first row. `peer` is the person,
 * `erasure` the request.
 */
const PLACES = {
  'extraction_anchors.speaker_peer_id': sql.fragment`(
    ${waitingAnchors(sql.fragment`request.account_id`, sql.fragment`request.peer_id`, 1)}) waiting`,
  'knowledge.subject_peer_id': sql.fragment`
    knowledge k where k.account_id = request.account_id and k.subject_peer_id = request.peer_id`,
  'messages.speaker_peer_id': sql.fragment`
    messages m where m.account_id = request.account_id and m.speaker_peer_id = request.peer_id`,
  'messages.relay_peer_id': sql.fragment`
    messages m where m.account_id = request.account_id and m.relay_peer_id = request.peer_id`,
  'provenance.message_id': sql.fragment`
    erasure_units u join provenance p on p.account_id = u.account_id and p.message_id = u.unit_id
    where u.account_id = request.account_id and u.erasure_id = request.id and u.unit = 'message' and not u.stays`,
  'knowledge_submitters.peer_id': sql.fragment`
    knowledge_submitters s where s.account_id = request.account_id and s.peer_id = request.peer_id`,
  'document_versions.uploader_peer_id': sql.fragment`
    document_versions v where v.account_id = request.account_id and v.uploader_peer_id = request.peer_id`,
  'document_uploads.uploader_peer_id': sql.fragment`
    document_uploads u where u.account_id = request.account_id and u.uploader_peer_id = request.peer_id`,
  'documents.owner_peer_id': sql.fragment`
    documents d where d.account_id = request.account_id and d.owner_peer_id = request.peer_id`,
  'session_participants.peer_id': sql.fragment`
    session_participants s where s.account_id = request.account_id and s.peer_id = request.peer_id`,
  'speaker_turns.speaker_peer_id': sql.fragment`
    speaker_turns t where t.account_id = request.account_id and t.speaker_peer_id = request.peer_id`,
  'consents.subject_peer_id': sql.fragment`
    consents c where c.account_id = request.account_id and c.subject_peer_id = request.peer_id`,
  'credentials.name': sql.fragment`
    credentials c where c.account_id = request.account_id and c.peer_id = request.peer_id
      and (c.name is distinct from 'erased' or c.revoked_at is null)`,
  'grants.peer_id': sql.fragment`
    grants g where g.account_id = request.account_id and g.peer_id = request.peer_id`,
  'audience_members.principal': sql.fragment`
    audience_members m where m.account_id = request.account_id and m.principal = request.peer_id::text`,
  'knowledge_addressees.principal': sql.fragment`
    knowledge_addressees a where a.account_id = request.account_id and a.principal = request.peer_id::text`,
  'circle_members.peer_id': sql.fragment`
    circle_members m where m.account_id = request.account_id and m.peer_id = request.peer_id`,
  'circle_members.added_by_peer_id': sql.fragment`
    circle_members m where m.account_id = request.account_id and m.added_by_peer_id = request.peer_id`,
  'review_words.peer_id': sql.fragment`
    review_words w where w.account_id = request.account_id and w.peer_id = request.peer_id`,
  'forget_holds.requester_peer_id': sql.fragment`
    forget_holds h where h.account_id = request.account_id and h.requester_peer_id = request.peer_id`,
  'forget_holds.decided_by': sql.fragment`
    forget_holds h where h.account_id = request.account_id and h.decided_by = request.peer_id`,
  'scheduled_decisions.decided_by': sql.fragment`
    scheduled_decisions d where d.account_id = request.account_id and d.decided_by = request.peer_id`,
  'ask_preferences.peer_id': sql.fragment`
    ask_preferences a where a.account_id = request.account_id and a.peer_id = request.peer_id`,
  'logins.peer_id': sql.fragment`
    logins l where l.account_id = request.account_id and l.peer_id = request.peer_id`,
  'idempotency_records.credential_id': sql.fragment`
    idempotency_records i join credentials c on c.account_id = i.account_id and c.id = i.credential_id
    where c.account_id = request.account_id and c.peer_id = request.peer_id`,
  'browser_sessions.credential_id': sql.fragment`
    browser_sessions b join credentials c on c.account_id = b.account_id and c.id = b.credential_id
    where c.account_id = request.account_id and c.peer_id = request.peer_id`,
  'indexed_units.unit_id': sql.fragment`
    erasure_units u join indexed_units i on i.account_id = u.account_id and i.unit = u.unit and i.unit_id = u.unit_id
    where u.account_id = request.account_id and u.erasure_id = request.id and not u.stays
      and (u.unit = 'message' or not exists (
        select from knowledge k where k.account_id = u.account_id and k.id = u.unit_id and k.statement is not null))`,
  'entity_mentions.statement_id': sql.fragment`
    erasure_units u join entity_mentions m on m.account_id = u.account_id and m.statement_id = u.unit_id
    where u.account_id = request.account_id and u.erasure_id = request.id and u.unit = 'statement' and not exists (
      select from knowledge k where k.account_id = u.account_id and k.id = u.unit_id and k.statement is not null)`,
  'projections.source_ids': sql.fragment`
    erasure_units u join projections p on p.account_id = u.account_id and p.source_ids @> array[u.unit_id]
    where u.account_id = request.account_id and u.erasure_id = request.id and u.unit = 'statement' and not exists (
      select from knowledge k where k.account_id = u.account_id and k.id = u.unit_id and k.statement is not null)`,
  'projection_marks.target_id': sql.fragment`
    projection_marks m where m.account_id = request.account_id and m.target_id = request.peer_id`,
  'projection_work.target_id': sql.fragment`
    projection_work w where w.account_id = request.account_id and w.target_id = request.peer_id`,
  'dirty_marks.unit_id': sql.fragment`
    erasure_units u join dirty_marks d on d.account_id = u.account_id and d.unit = u.unit and d.unit_id = u.unit_id
    where u.account_id = request.account_id and u.erasure_id = request.id and not u.stays`,
  'erasure_blobs.sha256': sql.fragment`
    erasure_blobs b where b.account_id = request.account_id and b.erasure_id = request.id and b.deleted_at is null`,
} satisfies Readonly<Record<string, FragmentSqlToken>>;

/** Where Postgres is read back. */
export const READ_BACK = Object.keys(PLACES);

/** The places in which something is left, by their names in the registry. */
export async function placesLeft(
  tx: Queryable,
  accountId: string,
  erasureId: string,
): Promise<readonly string[]> {
  const each = Object.entries(PLACES).map(
    ([place, from]) => sql.fragment`
      select ${place} as place from request where exists (select from ${from})`,
  );
  return tx.anyFirst(sql.type(z.object({ place: z.string() }))`
    with request as (
      select account_id, id, peer_id from erasure_requests
      where account_id = ${accountId} and id = ${erasureId}::uuid
    )
    ${sql.join(each, sql.fragment` union all `)}`);
}
