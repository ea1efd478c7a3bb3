/** The turns of a session around messages, as far as a reader may read them. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';
import { mayBeShown, type SourceRead } from '../visibility/shown-messages.ts';

/**
 * Turns that a look meets on one side of a message. It goes past those that the reader may not read as if they were not
 * there, so an answer does not tell whether one stands between. The bound is for a session of which the reader may read
 * very little: with so many in a row that it may not read, the message is the first or the last of those that it may.
 */
export const MOST_TURNS_MET = 128;

const turnRow = z.object({
  /** The message that it stands beside. */
  beside: z.string(),
  side: z.enum(['before', 'after']),
  message_id: z.string(),
  peer_key: z.string(),
  peer_name: z.string(),
  role: z.string(),
  occurred_at: z.string(),
  /** The beginning of the message. */
  text: z.string(),
  is_cut_after: z.boolean(),
});
export type TurnBeside = z.infer<typeof turnRow>;

const SIDES = {
  before: {
    is: sql.fragment`(m.occurred_at, m.recorded_at, m.id) < (hit.occurred_at, hit.recorded_at, hit.id)`,
    nearestFirst: sql.fragment`m.occurred_at desc, m.recorded_at desc, m.id desc`,
  },
  after: {
    is: sql.fragment`(m.occurred_at, m.recorded_at, m.id) > (hit.occurred_at, hit.recorded_at, hit.id)`,
    nearestFirst: sql.fragment`m.occurred_at, m.recorded_at, m.id`,
  },
} as const;

/** The nearest turns on one side of `hit` that may be shown, as many as asked for, in its session and scope. */
export function nearestTurns(
  side: keyof typeof SIDES,
  shown: FragmentSqlToken,
  length: number,
  most: number,
): FragmentSqlToken {
  const { is, nearestFirst } = SIDES[side];
  return sql.fragment`(
    select ${sql.literalValue(side)} as side, m.id, m.account_id, m.speaker_peer_id, m.role, m.occurred_at, m.recorded_at,
      m.chunk_index, substr(m.content, 1, ${length}::integer + 1) as text
    from (
      select m.* from messages m
      where m.account_id = hit.account_id and m.session_id = hit.session_id and m.scope_id = hit.scope_id and ${is}
      order by ${nearestFirst} limit ${MOST_TURNS_MET}
    ) m
    where ${shown} order by ${nearestFirst} limit ${most})`;
}

export class TurnsStore extends AccountStore {
  /**
   * The turns before and after each of the messages, with the first `length` code points of their texts. A chunk of a
   * document is no turn and has none beside it. One query, also for no message.
   */
  async beside(
    messageIds: readonly string[],
    read: SourceRead,
    length: number,
  ): Promise<readonly TurnBeside[]> {
    const shown = mayBeShown(read);
    return this.tx.any(sql.type(turnRow)`
      select hit.id as beside, turn.side, turn.id as message_id, p.key as peer_key, p.name as peer_name, turn.role,
        turn.occurred_at, left(turn.text, ${length}::integer) as text,
        char_length(turn.text) > ${length}::integer as is_cut_after
      from messages hit
      cross join lateral (
        ${nearestTurns('before', shown, length, 1)} union all ${nearestTurns('after', shown, length, 1)}
      ) turn
      join peers p on p.account_id = turn.account_id and p.id = turn.speaker_peer_id
      where hit.account_id = ${this.accountId}::uuid and hit.id = any(${sql.array(messageIds, 'uuid')})
        and hit.document_version_id is null`);
  }
}
