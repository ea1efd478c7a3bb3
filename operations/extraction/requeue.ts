/**
 * `operations.requeue`: extracts an observation again that extraction gave up. It is the only route that waits for
 * Temporal, because its caller wants to know that work begins. The reset is committed before the doorbell rings. The
 * anchor carries the id of the run until Temporal has accepted the ring, so that a request that is sent again after a
 * lost ring finds its own run.
 */
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { holdsRoleAt } from '../../domain/identity/caller.ts';
import { requeueStep } from '../../domain/observations/requeue.ts';
import { auditActor } from '../audit-actor.ts';
import { ACCEPTED, earlierAnswer } from '../idempotency.ts';
import { defineOperation } from '../operation.ts';

export const requeueExtraction = defineOperation({
  id: 'operations.requeue',
  access: 'account_admin',
  effect: 'write',
  summary: 'Requeue the extraction of an observation',
  description:
    'The observation must be `repairable` or `terminal`. The service counts its attempts from zero again. 503 means that the service reset the observation but could not start the run yet. Send the request again: the answer names the same run. If the budget above the observation is closed, the observation becomes `terminal` again.',
  refusals: ['not_found', 'conflict', 'unavailable'],
  input: z.object({
    message_id: z.uuid().describe('The `message_id` that `POST /api/v1/ingest` returned.'),
  }),
  output: z.object({ run_id: z.uuid(), status: z.literal('accepted') }),
  async run(context, { message_id: messageId }) {
    const { caller, doorbell, inAccount } = context;
    const { accountId } = caller;
    const { runId, mailbox } = await inAccount(accountId, async (stores) => {
      const anchor = await stores.requeue.lock(messageId);
      if (anchor === null || !holdsRoleAt(caller, anchor.path, 'curator')) {
        throw new Refusal('not_found');
      }
      const { status, requeue_token: token, shard } = anchor;
      const mailbox = { accountId, kind: 'ingest', shard } as const;
      const runId = token ?? uuidv7();
      const answer = { status: ACCEPTED, resourceId: runId };
      const earlier = await earlierAnswer(context, stores, [], answer);
      if (earlier !== null) {
        // The ring of an earlier request is due as long as the anchor carries its token.
        const isUnheard = earlier.resourceId === token;
        return { runId: earlier.resourceId, mailbox: isUnheard ? mailbox : null };
      }
      const step = requeueStep(status, token !== null);
      if (step === 'refuse') throw new Refusal('conflict');
      if (step === 'reset') {
        await stores.requeue.reset(messageId, runId);
        await stores.audit.record({
          category: 'lifecycle',
          action: 'extraction.requeued',
          actor: auditActor(caller),
          resourceType: 'message',
          resourceId: messageId,
          metadata: { run_id: runId, from: status },
        });
      }
      return { runId, mailbox };
    });
    if (mailbox !== null) {
      if (!(await doorbell.ringNow(mailbox))) throw new Refusal('unavailable');
      await inAccount(accountId, (stores) => stores.requeue.clearToken(messageId, runId));
    }
    return { run_id: runId, status: 'accepted' as const };
  },
});
