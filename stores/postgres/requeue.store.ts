/**
 * Taking up an observation again that extraction gave up. The reset is durable before anything is rung; a token in
 * the anchor, the id of the run, stays until the ring was heard. So a request that is sent again after a ring that
 * nobody heard finds its own run, whatever the sweep has done meanwhile.
 */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { Mailbox } from '../../domain/actors/names.ts';
import { Refusal } from '../../domain/errors.ts';
import { requeueStep } from '../../domain/observations/requeue.ts';
import { parseScopePath, type ScopePath } from '../../domain/scopes/path.ts';
import { recordAudit } from './audit.store.ts';
import { claimKey, type SentKey } from './idempotency.store.ts';
import type { Queryable } from './pool.ts';

export interface RequeueRequest {
  readonly accountId: string;
  readonly messageId: string;
  readonly credentialId: string;
  readonly peerId: string | null;
  readonly idempotency: SentKey | null;
}

export interface Requeued {
  readonly runId: string;
  /** To be rung; null when an earlier ring for this run was heard. */
  readonly mailbox: Mailbox | null;
}

const ACCEPTED = 202;

const anchorRow = z.object({
  status: z.enum(['pending', 'failed', 'completed', 'repairable', 'terminal']),
  requeue_token: z.string().nullable(),
  shard: z.number(),
  path: z.string(),
});

/** Locks the anchor; null without one. */
async function lockAnchor(tx: Queryable, messageId: string) {
  return tx.maybeOne(sql.type(anchorRow)`
    select a.status, a.requeue_token, a.shard, s.path
    from extraction_anchors a join scopes s on s.account_id = a.account_id and s.id = a.scope_id
    where a.message_id = ${messageId}::uuid for update of a`);
}

async function reset(tx: Queryable, messageId: string, runId: string): Promise<void> {
  await tx.query(sql.unsafe`
    update extraction_anchors
    set status = 'pending', attempt_count = 0, unsettled_attempts = 0, internal_errors = 0, failed_at = null,
      last_error_class = null, available_at = clock_timestamp(),
      claim_epoch = null, requeue_token = ${runId}::uuid
    where message_id = ${messageId}::uuid`);
}

/** The run of the first request with the same key; null for a request that is to be carried out. */
async function earlierRun(
  tx: Queryable,
  request: RequeueRequest,
  runId: string,
): Promise<string | null> {
  const { accountId, credentialId, idempotency } = request;
  if (idempotency === null) return null;
  const claim = { accountId, credentialId, ...idempotency, status: ACCEPTED, resourceId: runId };
  const claimed = await claimKey(tx, claim);
  if (claimed.outcome === 'conflict') throw new Refusal('conflict');
  return claimed.outcome === 'replayed' ? claimed.resourceId : null;
}

async function recordRequeue(
  tx: Queryable,
  request: RequeueRequest,
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  const { accountId, credentialId, peerId, messageId } = request;
  await recordAudit(tx, [
    {
      accountId,
      category: 'lifecycle',
      action: 'extraction.requeued',
      actor: { kind: 'credential', credentialId, peerId },
      resourceType: 'message',
      resourceId: messageId,
      metadata,
    },
  ]);
}

/**
 * Resets the anchor in the caller's transaction, or finds the run that did. Throws `not_found` for a message that
 * does not exist or that `isVisible` hides, and `conflict` where nothing waits for an operator; the transaction
 * must end with it, so that a refusal leaves no idempotency key behind.
 */
export async function requeueAnchor(
  tx: Queryable,
  request: RequeueRequest,
  isVisible: (path: ScopePath) => boolean,
): Promise<Requeued> {
  const { accountId, messageId } = request;
  const anchor = await lockAnchor(tx, messageId);
  const path = anchor === null ? null : parseScopePath(anchor.path);
  if (anchor === null || path === null || !isVisible(path)) throw new Refusal('not_found');
  const { status, requeue_token: token, shard } = anchor;
  const mailbox = { accountId, kind: 'ingest', shard } as const;
  const runId = token ?? uuidv7();
  const earlier = await earlierRun(tx, request, runId);
  // The ring of an earlier request is due as long as the anchor carries its token.
  if (earlier !== null) return { runId: earlier, mailbox: earlier === token ? mailbox : null };
  const step = requeueStep(status, token !== null);
  if (step === 'refuse') throw new Refusal('conflict');
  if (step === 'reset') {
    await reset(tx, messageId, runId);
    await recordRequeue(tx, request, { run_id: runId, from: status });
  }
  return { runId, mailbox };
}

/** The ring of the run was heard: what is asked from now on is a request of its own. */
export async function clearRequeueToken(
  tx: Queryable,
  messageId: string,
  runId: string,
): Promise<void> {
  await tx.query(sql.unsafe`
    update extraction_anchors set requeue_token = null
    where message_id = ${messageId}::uuid and requeue_token = ${runId}::uuid`);
}
