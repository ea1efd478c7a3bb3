/**
 * `operations.requeue`: takes up an observation again that waits for an operator. The only route that waits for
 * Temporal: whoever asks wants to know that work begins.
 */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { callerRoleAt } from '../../domain/identity/caller.ts';
import { roleCovers } from '../../domain/identity/roles.ts';
import { requestHash } from '../idempotency.ts';
import { defineOperation } from '../operation.ts';

export const requeueExtraction = defineOperation({
  id: 'operations.requeue',
  access: 'account_admin',
  effect: 'write',
  summary: 'Extract an observation again that was given up',
  description:
    'Only for `repairable` and `terminal` ones; its attempts are counted anew. 503 says that it was reset and nobody could be told yet: sent again, the request answers with the same run. Under a budget that is closed it ends `terminal` again.',
  refusals: ['not_found', 'conflict', 'unavailable'],
  input: z.object({ message_id: z.uuid().describe('As ingest answered it.') }),
  output: z.object({ run_id: z.uuid(), status: z.literal('accepted') }),
  async run({ caller, idempotency, services: { extraction } }, { message_id: messageId }) {
    const { accountId, credentialId, peerId } = caller;
    const { runId, mailbox } = await extraction.requeue(
      {
        accountId,
        messageId,
        credentialId,
        peerId,
        idempotency: idempotency && { ...idempotency, requestHash: requestHash([]) },
      },
      (path) => roleCovers(callerRoleAt(caller, path), 'curator'),
    );
    if (mailbox !== null) {
      if (!(await extraction.ringNow(mailbox))) throw new Refusal('unavailable');
      await extraction.requeueHeard(accountId, messageId, runId);
    }
    return { run_id: runId, status: 'accepted' as const };
  },
});
