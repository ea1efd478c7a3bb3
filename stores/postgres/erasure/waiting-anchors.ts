/** The extractions of a person that wait: an erasure ends them first. */
import { sql, type FragmentSqlToken } from 'slonik';
import { SHARDS } from '../actors/shards.ts';

/** Ids of anchors of the peer that wait: `limit` of each mailbox and status, along the indexes of the mailboxes. */
export function waitingAnchors(
  account: FragmentSqlToken,
  peer: FragmentSqlToken,
  limit: number,
): FragmentSqlToken {
  const ofStatus = (status: 'pending' | 'failed') => sql.fragment`
    select a.message_id from generate_series(0, ${SHARDS - 1}::integer) as place (shard)
    cross join lateral (
      select a.message_id from extraction_anchors a
      where a.account_id = ${account} and a.shard = place.shard and a.speaker_peer_id = ${peer}
        and a.status = ${sql.literalValue(status)}::extraction_status
      limit ${limit}
    ) a`;
  return sql.fragment`${ofStatus('pending')} union all ${ofStatus('failed')}`;
}
