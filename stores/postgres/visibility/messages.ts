/** The one SQL form of "who was there": the readers of a message. */
import { sql, type FragmentSqlToken } from 'slonik';
import type { ScopedReader } from '../../../domain/governance/scoped-reader.ts';
import type { ChainReader } from '../../../domain/governance/visibility.ts';
import { isOpen } from './open-scopes.ts';

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

/** The same for a reader that an expression of the surrounding query names. */
export function wasThere(peerId: FragmentSqlToken, m = 'm'): FragmentSqlToken {
  return sql.fragment`(${column(m, 'speaker_peer_id')} = ${peerId}
    or ${column(m, 'relay_peer_id')} is not distinct from ${peerId}
    or exists (
      select from session_participants attendance
      where attendance.account_id = ${column(m, 'account_id')}
        and attendance.session_id = ${column(m, 'session_id')}
        and attendance.scope_id = ${column(m, 'scope_id')}
        and attendance.peer_id = ${peerId}
        and (attendance.reads_whole_session or ${column(m, 'recorded_at')} >= attendance.joined_at)))`;
}
