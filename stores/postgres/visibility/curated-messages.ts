/** Which messages a curator may be shown: in scopes that it curates, unless their audience leaves it out. */
import { sql, type FragmentSqlToken } from 'slonik';
import type { CuratorReach } from '../../../domain/governance/curator-reach.ts';
import { isNotErasing } from './erasing.ts';
import { isMeantFor } from './messages.ts';
import { isOpen } from './open-scopes.ts';

/** Of the message `m`, whatever its scope: neither its audience nor an erasure of its speaker hides it from the person. */
export function isHiddenByNobody(curatorPeerId: string | null): FragmentSqlToken {
  return sql.fragment`(${isMeantFor(curatorPeerId)}
    and ${isNotErasing(sql.fragment`m.account_id`, sql.fragment`m.speaker_peer_id`)})`;
}

/** Whether the curator may be shown the message `m` as the source of a statement. */
export function isShownToCurator({ openings, peerId }: CuratorReach): FragmentSqlToken {
  return sql.fragment`(${isHiddenByNobody(peerId)} and exists (
    select from scopes said_in
    where said_in.account_id = m.account_id and said_in.id = m.scope_id
      and ${isOpen(sql.fragment`said_in.path`, openings)}))`;
}
