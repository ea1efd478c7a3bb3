/**
 * Anchors that are extracted again after extraction gave them up. The anchor carries a token, the id of the run that
 * requeued it, until Temporal has accepted the ring of its mailbox.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';

const lockedRow = z.object({
  status: z.enum(['pending', 'failed', 'completed', 'repairable', 'terminal']),
  /** The run that requeued it, until Temporal has accepted the ring. */
  requeue_token: z.string().nullable(),
  shard: z.number(),
  path: z.string(),
});

/** Anchors of the account that are extracted again. */
export class RequeueStore extends AccountStore {
  /** Locks the anchor of the message and answers it with the path of its scope; null when there is none. */
  async lock(messageId: string): Promise<z.infer<typeof lockedRow> | null> {
    return this.tx.maybeOne(sql.type(lockedRow)`
      select a.status, a.requeue_token, a.shard, s.path
      from extraction_anchors a join scopes s on s.account_id = a.account_id and s.id = a.scope_id
      where a.account_id = ${this.accountId}::uuid and a.message_id = ${messageId}::uuid for update of a`);
  }

  /** Makes the anchor due as if it had never been tried. */
  async reset(messageId: string, runId: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      update extraction_anchors
      set status = 'pending', attempt_count = 0, unsettled_attempts = 0, internal_errors = 0, failed_at = null,
        last_error_class = null, available_at = clock_timestamp(),
        claim_epoch = null, requeue_token = ${runId}::uuid
      where account_id = ${this.accountId}::uuid and message_id = ${messageId}::uuid`);
  }

  /** Takes the token of the run from the anchor, once Temporal has accepted its ring. */
  async clearToken(messageId: string, runId: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      update extraction_anchors set requeue_token = null
      where account_id = ${this.accountId}::uuid and message_id = ${messageId}::uuid
        and requeue_token = ${runId}::uuid`);
  }
}
