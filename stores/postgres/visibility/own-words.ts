/**
 * Texts as their own authors read them. A hold takes words out of what everybody else is served; who said a message or
 * passed it on reads what was said, and so do the submitters of a statement.
 */
import { sql, type FragmentSqlToken } from 'slonik';
import type { ChainReader } from '../../../domain/governance/visibility.ts';

const column = (alias: string, name: string) => sql.identifier([alias, name]);

/** Whether a peer that a reader of the scope stands for fulfils `is`; a named reader counts in the scopes where it may be named. */
function asPeer(
  reader: ChainReader,
  alias: string,
  is: (peerId: FragmentSqlToken) => FragmentSqlToken,
): FragmentSqlToken {
  switch (reader.posture) {
    case 'internal':
    case 'public_only':
      return sql.fragment`false`;
    case 'peer':
      return is(sql.fragment`${reader.peerId}::uuid`);
    case 'named':
      return sql.fragment`(case when ${column(alias, 'scope_id')} = any(${sql.array(reader.scopeIds, 'uuid')})
        then ${asPeer(reader.named, alias, is)} else ${asPeer(reader.otherwise, alias, is)} end)`;
  }
}

/** Whether the peer said the message `m`, or passed it on. */
export function saidOrRelayed(peerId: FragmentSqlToken, m = 'm'): FragmentSqlToken {
  return sql.fragment`(${column(m, 'speaker_peer_id')} = ${peerId}
    or ${column(m, 'relay_peer_id')} is not distinct from ${peerId})`;
}

/** The text of the message `m` as the peer reads it; null: somebody without a peer. */
export function ownMessageText(peerId: string | null, m = 'm'): FragmentSqlToken {
  const served = sql.fragment`${column(m, 'content')}`;
  if (peerId === null) return served;
  const original = sql.fragment`${column(m, 'unmasked')}`;
  return sql.fragment`(case when ${original} is not null and ${saidOrRelayed(sql.fragment`${peerId}::uuid`, m)}
    then ${original} else ${served} end)`;
}

/** The text of the statement `k` as the reader reads it. */
export function ownStatementText(reader: ChainReader, k = 'k'): FragmentSqlToken {
  const isOwn = asPeer(
    reader,
    k,
    (peerId) => sql.fragment`exists (
      select from knowledge_submitters own
      where own.account_id = ${column(k, 'account_id')} and own.knowledge_id = ${column(k, 'id')}
        and own.peer_id = ${peerId})`,
  );
  return sql.fragment`(case when ${column(k, 'unmasked')} is not null and ${isOwn}
    then ${column(k, 'unmasked')} ->> 'statement' else ${column(k, 'statement')} end)`;
}
