/** Which messages the search indexes are to hold: all but the chunks of replaced versions, and what holds left nothing of. */
import { sql, type FragmentSqlToken } from 'slonik';

/**
 * Whether the indexes are to hold a message, by the alias of its table. A chunk leaves them when a later version of
 * its document has taken over; the message stays.
 */
export function isInIndexes(message: 'm' | 'u'): FragmentSqlToken {
  const m = sql.identifier([message]);
  return sql.fragment`(${m}.is_served and (${m}.document_version_id is null or not exists (
    select from document_versions own
    join document_versions later on later.account_id = own.account_id and later.document_id = own.document_id
      and later.version > own.version and later.settled_at is not null
    where own.account_id = ${m}.account_id and own.id = ${m}.document_version_id)))`;
}
