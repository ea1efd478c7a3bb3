/** `reviews.reject`: a curator says no to what an item asks. */
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { decide, decisionOutput, reviewId, versionField } from './decide.ts';

export const rejectReview = defineOperation({
  id: 'reviews.reject',
  access: 'human',
  effect: 'write',
  summary: 'Reject an item',
  description:
    'A promotion and a stricter sensitivity leave the statement as it is; of every other item the statement is rejected, and the same sentence, said again, waits for a person.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input: z.object({ review_id: reviewId, version: versionField }),
  output: decisionOutput,
  async run(context, { review_id: id, version }) {
    return decide(context, { id, version, decision: { action: 'reject' } });
  },
});
