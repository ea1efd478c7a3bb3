/** `reviews.approve`: a curator says yes to what an item asks. */
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { timeToCome } from '../time-to-come.ts';
import { decide, decisionInput, decisionOutput } from './decide.ts';

export const approveReview = defineOperation({
  id: 'reviews.approve',
  access: 'human',
  effect: 'write',
  summary: 'Approve an item',
  description:
    'The effect depends on the kind of the item. A proposal is placed as proposed. A promotion moves its statement. A revalidation gives a new date. A contest is dismissed. In a contradiction the newer statement holds. A stricter sensitivity applies. To place a statement more widely, the caller must be a curator of the wider scope too. A personal statement waits for the consent of its subject first.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input: z.object({
    ...decisionInput,
    expires_at: timeToCome.meta({
      description: 'When the statement expires: a time in the future. Absent: as before.',
    }),
  }),
  output: decisionOutput,
  async run(context, { expires_at: expiresAt, review_id: id, undo_seconds: undoSeconds, version }) {
    const decision = { action: 'approve', expiresAt: expiresAt(context.now) } as const;
    return decide(context, { id, version, decision, undoSeconds });
  },
});
