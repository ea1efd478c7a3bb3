/** What became of observations. */
import { sql } from 'slonik';
import { z } from 'zod';
import type { ScopedReader } from '../../../domain/governance/scoped-reader.ts';
import { ERROR_CLASSES } from '../../../domain/error-class.ts';
import { peersOf } from '../../../domain/governance/visibility.ts';
import { isMeantFor, renderMessageReadable } from '../visibility/messages.ts';
import { chainOf } from '../scopes/paths.ts';
import { AccountStore } from '../account-store.ts';

const statusRow = z.object({
  status: z.enum(['pending', 'failed', 'completed', 'repairable', 'terminal']),
  completed_at: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
  last_error_class: z.enum(ERROR_CLASSES).nullable(),
  attempt_count: z.number(),
  scope_path: z.string(),
  /** The scopes of the message's chain that exist. */
  chain: z.array(z.object({ id: z.string(), depth: z.number() })),
  /** Whether the reader may read the message. */
  was_there: z.boolean(),
  /** Whether its audience does not leave the reader out. */
  is_for_reader: z.boolean(),
});
export type ObservationStatusRow = z.infer<typeof statusRow>;

/**
 * The circuit of the extractor, and whether it keeps the anchor back. A due anchor that it keeps back waits unchanged
 * in its mailbox; only the status that a caller reads tells of it.
 */
export const KEPT_BACK = sql.fragment`
  left join lateral (
    select max(c.blocked_until) filter (where c.blocked_until > clock_timestamp()) as blocked_until,
      max(c.closed_at) as closed_at
    from provider_circuits c where c.account_id = a.account_id and c.role = 'ingest_extractor'
  ) circuit on a.status in ('pending', 'failed')
  cross join lateral (
    select a.status in ('pending', 'failed') and a.extracted_at is null and a.claim_epoch is null
      and a.available_at <= clock_timestamp() and circuit.blocked_until is not null as back
  ) kept`;

/** Observations of the account, and what became of them. */
export class MessagesStore extends AccountStore {
  /** What became of a message, and whether the reader may read it; null without such a message. */
  async status(messageId: string, reader: ScopedReader): Promise<ObservationStatusRow | null> {
    return this.tx.maybeOne(sql.type(statusRow)`
      select case when kept.back then 'failed'::extraction_status else a.status end as status, a.completed_at, a.attempt_count,
        case when kept.back then 'circuit_open'::error_class else a.last_error_class end as last_error_class,
        case when kept.back then circuit.blocked_until when a.status <> 'failed' then null
          when a.failed_at < circuit.closed_at then least(a.available_at, circuit.closed_at)
          else least(a.available_at, circuit.blocked_until) end as next_attempt_at,
        scope.path as scope_path,
        ${renderMessageReadable(reader)} as was_there,
        ${isMeantFor(peersOf(reader.reader)[0] ?? null)} as is_for_reader,
        ${chainOf('scope')} as chain
      from messages m
      join extraction_anchors a on a.account_id = m.account_id and a.message_id = m.id
      join scopes scope on scope.account_id = m.account_id and scope.id = m.scope_id
      ${KEPT_BACK}
      where m.id = ${messageId}::uuid`);
  }

  /** Those of the messages with an extraction that has ended. */
  async settled(messageIds: readonly string[]): Promise<readonly string[]> {
    return this.tx.anyFirst(sql.type(z.object({ message_id: z.string() }))`
      select message_id from extraction_anchors
      where message_id = any(${sql.array(messageIds, 'uuid')})
        and status in ('completed', 'repairable', 'terminal')`);
  }
}
