/**
 * `operations.reconcile`: one pass of the third net over the caller's account. The answer says that the run is
 * durable; its workflow starts as soon as Temporal is there.
 */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { requestHash } from '../idempotency.ts';
import { defineOperation } from '../operation.ts';

export const requestReconcile = defineOperation({
  id: 'operations.reconcile',
  access: 'account_admin',
  effect: 'write',
  summary: 'Start a pass of reconciliation',
  description:
    'Finds work of the account that was left behind for five minutes or more and sets it in motion, at most a hundred of each kind. Where three passes wait to begin, the answer names one of them. The same pass runs by itself every hour.',
  refusals: ['conflict'],
  input: z.object({}),
  output: z.object({ run_id: z.uuid(), status: z.literal('accepted') }),
  async run({ caller, idempotency, services: { runs }, traceId }) {
    const entered = await runs.enter({
      accountId: caller.accountId,
      kind: 'reconcile',
      action: 'reconcile.requested',
      credentialId: caller.credentialId,
      peerId: caller.peerId,
      traceId,
      idempotency: idempotency && { ...idempotency, requestHash: requestHash([]) },
    });
    if (entered.outcome === 'conflict') throw new Refusal('conflict');
    if (entered.outcome === 'accepted') runs.startSoon();
    return { run_id: entered.runId, status: 'accepted' as const };
  },
});
