/** An audience on its way into the database, as `intern_audience` takes it. */
import { sql, type FragmentSqlToken } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import type { FoundAudience } from '../../../domain/audiences/requested-audience.ts';

export interface SentAudience extends FoundAudience {
  /** The keyed digest of its names: equal audiences have equal ones. */
  readonly digest: Uint8Array;
}

/** As a `bytea` in text. */
export function digestOf({ digest }: SentAudience): string {
  return `\\x${Buffer.from(digest).toString('hex')}`;
}

/** The fields of the type `sent_observation` that are about its audience, with ids for rows that may have to be made. */
export function audienceFields(audience: SentAudience | null) {
  if (audience === null) return {};
  const { circleIds, peers, role } = audience;
  return {
    audience_id: uuidv7(),
    audience_digest: digestOf(audience),
    audience_peer_keys: peers,
    audience_peer_ids: peers.map(() => uuidv7()),
    audience_circle_ids: circleIds,
    audience_role: role,
  };
}

/** A scalar subquery of the id of the audience at the scope, which is written where it is new; null without one. */
export function internedAudience(
  accountId: string,
  scopeId: FragmentSqlToken,
  audience: SentAudience | null,
): FragmentSqlToken {
  if (audience === null) return sql.fragment`null::uuid`;
  const { circleIds, peers, role } = audience;
  return sql.fragment`intern_audience(${accountId}::uuid, ${uuidv7()}::uuid, ${scopeId},
    ${digestOf(audience)}::bytea, ${sql.array(peers, 'text')}, ${sql.array(
      peers.map(() => uuidv7()),
      'uuid',
    )}, ${sql.array(circleIds, 'uuid')}, ${role})`;
}
