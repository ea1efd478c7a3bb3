/** Last steps of anchors that a drain holds, without a commit of statements. The epoch of the drain fences them. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { settleFailure } from '../../../domain/observations/settlement.ts';
import type { Queryable } from '../pool.ts';
import { tellSettled } from './settlements.ts';

/** An anchor that a drain holds; another drain that takes it has another epoch. */
export interface Hold {
  readonly messageId: string;
  readonly epoch: number;
}

/** Whether the drains still hold the anchor `a`. */
export function isHeld(a: FragmentSqlToken, holds: readonly Hold[]): FragmentSqlToken {
  const ids = sql.array(
    holds.map(({ messageId }) => messageId),
    'uuid',
  );
  const epochs = sql.array(
    holds.map(({ epoch }) => epoch),
    'int8',
  );
  return sql.fragment`(${a}.message_id = any(${ids})
    and ${a}.claim_epoch = (${epochs})[array_position(${ids}, ${a}.message_id)])`;
}

/** Completes extracted anchors that their drains still hold; answers which. */
export async function completeAnchors(
  tx: Queryable,
  holds: readonly Hold[],
): Promise<readonly string[]> {
  return tx.anyFirst(sql.type(z.object({ message_id: z.string() }))`
    with ended as (
      update extraction_anchors a
      set status = 'completed', completed_at = clock_timestamp(), claim_epoch = null, last_error_class = null,
        unsettled_attempts = 0
      where ${isHeld(sql.fragment`a`, holds)} and a.status in ('pending', 'failed') and a.extracted_at is not null
      returning a.message_id, ${tellSettled(sql.fragment`a.account_id`)} as told)
    select message_id from ended`);
}

const heldRow = z.object({
  message_id: z.string(),
  attempt_count: z.number(),
  internal_errors: z.number(),
});
const settledRow = z.object({ status: z.enum(['failed', 'terminal']) });

/**
 * Settles anchors as failed by a defect of ours, and writes nothing else, because anything that a commit reads may have
 * made theirs fail. Skips anchors that the drain does not hold or that have their statements committed. Answers how
 * each of the others was settled.
 */
export async function failAnchors(
  tx: Queryable,
  epoch: number,
  messageIds: readonly string[],
): Promise<readonly ('failed' | 'terminal')[]> {
  const held = await tx.any(sql.type(heldRow)`
    select message_id, attempt_count - unsettled_attempts as attempt_count, internal_errors from extraction_anchors
    where message_id = any(${sql.array(messageIds, 'uuid')}) and claim_epoch = ${epoch}
      and status in ('pending', 'failed') and extracted_at is null
    order by message_id for update`);
  const settled = held.map((row) => {
    const { status, delayMs } = settleFailure('internal_error', row.attempt_count, {
      isOurs: true,
      ownFailures: row.internal_errors,
    });
    return { message_id: row.message_id, status, delay_ms: delayMs };
  });
  const rows = await tx.any(sql.type(settledRow)`
    with ended as (
    update extraction_anchors a set status = r.status, last_error_class = 'internal_error', claim_epoch = null,
      attempt_count = a.attempt_count - a.unsettled_attempts + 1, unsettled_attempts = 0,
      internal_errors = a.internal_errors + 1, failed_at = clock_timestamp(),
      available_at = clock_timestamp() + make_interval(secs => r.delay_ms / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) as r (
      message_id uuid, status extraction_status, delay_ms integer)
    where a.message_id = r.message_id
    returning a.status,
      case when a.status = 'terminal' then ${tellSettled(sql.fragment`a.account_id`)} end as told)
    select status from ended`);
  return rows.map(({ status }) => status);
}
