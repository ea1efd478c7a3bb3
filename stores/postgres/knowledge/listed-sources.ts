/**
 * The sources that an answer lists beside their number: at most a hundred that the reader may read, the earliest said
 * first, because the text was taken from the earliest. However many sources there are, a bounded number is looked at:
 * those that were received first, and some of the reader's own.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import { peersOf, type ChainReader } from '../../../domain/governance/visibility.ts';

/** Ids of sources that one row lists. */
const MOST_SOURCE_IDS = 100;
/** Sources of one row that are looked at, beside `MOST_SOURCE_IDS` of the reader's own. */
const MOST_SOURCES_LOOKED_AT = 300;

/** A subquery of one row with `source_message_ids`, over `picked`; `readable` judges the message `m`. */
export function listedSources(reader: ChainReader, readable: FragmentSqlToken): FragmentSqlToken {
  const ofRow = sql.fragment`p.account_id = picked.account_id and p.knowledge_id = picked.id`;
  return sql.fragment`
    select coalesce(array_agg(listed.id order by listed.occurred_at, listed.id), '{}') as source_message_ids
    from (
      select m.id, m.occurred_at
      from (
        (select p.message_id from provenance p where ${ofRow}
          order by p.message_id limit ${MOST_SOURCES_LOOKED_AT})
        union
        select own.message_id from unnest(${sql.array(peersOf(reader), 'uuid')}) as speaker (id)
        cross join lateral (
          select p.message_id from provenance p where ${ofRow} and p.speaker_peer_id = speaker.id
          order by p.source_key limit ${MOST_SOURCE_IDS}
        ) own
      ) cited
      join messages m on m.account_id = picked.account_id and m.id = cited.message_id
      where ${readable}
      order by m.occurred_at, m.id limit ${MOST_SOURCE_IDS}
    ) listed`;
}
