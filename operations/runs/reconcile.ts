/**
 * `operations.reconcile`: one pass of the third net over the caller's account. The answer says that the run is
 * durable; its workflow starts as soon as Temporal is there.
 */
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { auditActor } from '../audit-actor.ts';
import { ACCEPTED, earlierAnswer } from '../idempotency.ts';
import { defineOperation } from '../operation.ts';

export const requestReconcile = defineOperation({
  id: 'operations.reconcile',
  access: 'account_admin',
  effect: 'write',
  summary: 'Start a reconciliation',
  description:
    'A reconciliation finds work of the account that has waited for at least five minutes, and starts it again: at most 100 items of each kind. If three reconciliations already wait to begin, the answer names one of them. The service also starts one every hour.',
  refusals: ['conflict'],
  input: z.object({}),
  output: z.object({ run_id: z.uuid(), status: z.literal('accepted') }),
  async run(context) {
    const { caller, inAccount, sweep, traceId } = context;
    const { isNew, runId } = await inAccount(caller.accountId, async (stores) => {
      // A run that has not begun will see all the work that this request asks for; a further run would repeat it.
      const joined = await stores.runs.joined('reconcile');
      const id = joined ?? uuidv7();
      const earlier = await earlierAnswer(context, stores, [], {
        status: ACCEPTED,
        resourceId: id,
      });
      if (earlier !== null) return { isNew: false, runId: earlier.resourceId };
      if (joined === null) await stores.runs.enter({ kind: 'reconcile', traceId, id });
      await stores.audit.record({
        category: 'lifecycle',
        action: 'reconcile.requested',
        actor: auditActor(caller),
        resourceType: 'pipeline_run',
        resourceId: id,
      });
      return { isNew: true, runId: id };
    });
    if (isNew) sweep.soon();
    return { run_id: runId, status: 'accepted' as const };
  },
});
