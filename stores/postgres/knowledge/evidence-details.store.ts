/** The values of statements that an answerer reads besides those of a search answer. */
import { sql } from 'slonik';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';
import { mayBeShown, type SourceRead } from '../visibility/shown-messages.ts';
import { columnsOf } from '../columns.ts';
import { rowShape } from '../statement-columns.ts';

const DETAIL_COLUMNS = [
  'id',
  'derivation_level',
  'claim_about',
  'claim_value',
  'claim_mode',
] as const;

/** A statement, and the first of its messages; null for a statement of no message. */
export interface AskedDetail {
  readonly id: string;
  readonly earliestMessageId: string | null;
}

const detailRow = z.object({
  ...rowShape(DETAIL_COLUMNS),
  /** The name of the peer that the statement is about. */
  subject_name: z.string().nullable(),
  /** Who said the message that was asked for, and when; all null where the reader may not be shown it. */
  said_by_key: z.string().nullable(),
  said_by_name: z.string().nullable(),
  said_as_role: z.string().nullable(),
  said_at: z.string().nullable(),
});
export type EvidenceDetail = z.infer<typeof detailRow>;

/** Statements that were read through the predicate a moment ago. */
export class EvidenceDetailsStore extends AccountStore {
  /** In no order. One query. */
  async of(asked: readonly AskedDetail[], read: SourceRead): Promise<readonly EvidenceDetail[]> {
    const ids = asked.map(({ id }) => id);
    const earliest = asked.map(({ earliestMessageId }) => earliestMessageId);
    return this.tx.any(sql.type(detailRow)`
      select ${columnsOf(DETAIL_COLUMNS, 'k')}, subject.name as subject_name,
        said.by_key as said_by_key, said.by_name as said_by_name, said.role as said_as_role,
        said.occurred_at as said_at
      from unnest(${sql.array(ids, 'uuid')}, ${sql.array(earliest, 'uuid')}) as asked (id, message_id)
      join knowledge k on k.account_id = ${this.accountId}::uuid and k.id = asked.id
      left join peers subject on subject.account_id = k.account_id and subject.id = k.subject_peer_id
      left join lateral (
        select speaker.key as by_key, speaker.name as by_name, m.role, m.occurred_at
        from messages m
        join peers speaker on speaker.account_id = m.account_id and speaker.id = m.speaker_peer_id
        where m.account_id = k.account_id and m.id = asked.message_id and ${mayBeShown(read)}
      ) said on true`);
  }
}
