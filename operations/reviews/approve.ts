/** `reviews.approve`: a curator says yes to what an item asks. */
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { timeToCome } from '../time-to-come.ts';
import { decide, decisionOutput, reviewId, versionField } from './decide.ts';

export const approveReview = defineOperation({
  id: 'reviews.approve',
  access: 'human',
  effect: 'write',
  summary: 'Approve an item',
  description:
    'A proposal is placed as proposed, a promotion moves its statement, a revalidation gives a new date, a contest is dismissed, of a contradiction the newer statement holds, and a stricter sensitivity applies. A wider place needs a curator there. A personal statement waits for its subject first.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input: z.object({
    review_id: reviewId,
    version: versionField,
    expires_at: timeToCome.meta({
      description: 'When the statement stops to be shown: a time to come. Absent: as before.',
    }),
  }),
  output: decisionOutput,
  async run(context, { expires_at: expiresAt, review_id: id, version }) {
    const decision = { action: 'approve', expiresAt: expiresAt(context.now) } as const;
    return decide(context, { id, version, decision });
  },
});
