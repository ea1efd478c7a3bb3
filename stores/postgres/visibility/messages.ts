/** The one SQL form of "who was there": the readers of a message. */
import { sql, type FragmentSqlToken } from 'slonik';
import type { ScopedReader } from '../../../domain/governance/scoped-reader.ts';
import type { ChainReader } from '../../../domain/governance/visibility.ts';
import { isOpen } from './open-scopes.ts';
import { saidOrRelayed } from './own-words.ts';

const column = (alias: string, name: string) => sql.identifier([alias, name]);

/**
 * Whether the reader may read the message `m`: it was there when the message was said, and may read the scope that it
 * was said in now.
 */
export function renderMessageReadable(scoped: ScopedReader, m = 'm'): FragmentSqlToken {
  const { openings, reader, scopeIds } = scoped;
  const isOfRequest = sql.fragment`${column(m, 'scope_id')} = any(${sql.array(scopeIds, 'uuid')})`;
  const isElsewhere =
    openings === undefined
      ? sql.fragment`false`
      : sql.fragment`exists (
          select from scopes said_in
          where said_in.account_id = ${column(m, 'account_id')} and said_in.id = ${column(m, 'scope_id')}
            and ${isOpen(sql.fragment`said_in.path`, openings)})`;
  return sql.fragment`((${isOfRequest} or ${isElsewhere}) and ${renderWasThere(reader, m)})`;
}

/**
 * Whether the reader was there when the message was said: as the speaker, as the relay, or as a participant of the
 * session in that scope (from the moment of joining, unless a relaying machine vouched for the whole session). A named
 * reader counts in the scopes where it may be named.
 */
function renderWasThere(reader: ChainReader, m: string): FragmentSqlToken {
  switch (reader.posture) {
    case 'internal':
      return sql.fragment`true`;
    case 'public_only':
      return sql.fragment`false`;
    case 'peer':
      return wasThere(sql.fragment`${reader.peerId}::uuid`, m);
    case 'named':
      return sql.fragment`(case when ${column(m, 'scope_id')} = any(${sql.array(reader.scopeIds, 'uuid')})
        then ${renderWasThere(reader.named, m)} else ${renderWasThere(reader.otherwise, m)} end)`;
  }
}

/**
 * The same for a reader that an expression of the surrounding query names. An audience stops those who were there because
 * they take part in the session, and so does a hold that left nothing of it; neither stops the speaker or the relay.
 */
export function wasThere(peerId: FragmentSqlToken, m = 'm'): FragmentSqlToken {
  const of = (name: string) => column(m, name);
  return sql.fragment`(${saidOrRelayed(peerId, m)}
    or ${of('is_served')} and exists (
      select from session_participants attendance
      where attendance.account_id = ${of('account_id')}
        and attendance.session_id = ${of('session_id')}
        and attendance.scope_id = ${of('scope_id')}
        and attendance.peer_id = ${peerId}
        and (attendance.reads_whole_session or ${of('recorded_at')} >= attendance.joined_at)
        and (${of('audience_id')} is null or is_addressed(${of('account_id')}, ${of('audience_id')}, ${peerId}))))`;
}

/**
 * Whether neither the audience of the message `m` nor a hold leaves out the peer (null: nobody), for those who read
 * messages of a scope because they curate it.
 */
export function isMeantFor(peerId: string | null, m = 'm'): FragmentSqlToken {
  const of = (name: string) => column(m, name);
  if (peerId === null) return sql.fragment`(${of('audience_id')} is null and ${of('is_served')})`;
  const peer = sql.fragment`${peerId}::uuid`;
  return sql.fragment`(${saidOrRelayed(peer, m)} or ${of('is_served')}
    and (${of('audience_id')} is null or is_addressed(${of('account_id')}, ${of('audience_id')}, ${peer})))`;
}
