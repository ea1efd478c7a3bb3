/** `reviews.undo`: a curator takes a decision back that has not been carried out yet. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { lockItem } from '../../engine/desk/locked-item.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { assertCurator } from '../access/curator.ts';
import { auditActor } from '../audit-actor.ts';
import { earlierAnswer } from '../idempotency.ts';
import { defineOperation } from '../operation.ts';
import { decisionOutput, reviewId } from './decide.ts';
import { itemViews } from './item.ts';

async function undo(stores: Stores, caller: Caller, id: string): Promise<void> {
  await lockItem(stores, caller, id);
  const waiting = await stores.scheduledDecisions.waitingFor(id);
  if (waiting === null || !(await stores.scheduledDecisions.end(waiting, 'undone'))) {
    throw new Refusal('conflict');
  }
  await stores.audit.record({
    category: 'governance',
    action: 'review.undone',
    actor: auditActor(caller),
    resourceType: 'review_item',
    resourceId: id,
    metadata: { decision: waiting.action },
  });
}

export const undoReview = defineOperation({
  id: 'reviews.undo',
  access: 'human',
  effect: 'write',
  summary: 'Take a decision back',
  description:
    'Takes back a decision that was sent with `undo_seconds` and has not been carried out yet. Any curator of the scope may. The item is as it was before. After the service has carried the decision out, the answer is 409.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input: z.object({ review_id: reviewId }),
  output: decisionOutput,
  async run(context, { review_id: id }) {
    const { caller, inAccount } = context;
    assertCurator(caller);
    const review = await inAccount(caller.accountId, async (stores) => {
      const again = { status: 200, resourceId: id };
      if ((await earlierAnswer(context, stores, [id], again)) === null) {
        await undo(stores, caller, id);
      }
      const item = await stores.reviews.findFor(id, caller.peerId);
      const [view] = item === null ? [] : await itemViews(stores, caller, [item]);
      if (view === undefined) throw new Refusal('not_found');
      return view;
    });
    return { review, knowledge: review.knowledge };
  },
});
