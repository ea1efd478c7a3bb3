/** `reviews.reject`: a curator says no to what an item asks. */
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { decide, decisionInput, decisionOutput } from './decide.ts';

export const rejectReview = defineOperation({
  id: 'reviews.reject',
  access: 'human',
  effect: 'write',
  summary: 'Reject an item',
  description:
    'If the item asks for a promotion or a stricter sensitivity, the statement stays as it is. For every other item the statement is rejected. If the same sentence is extracted again, it waits for a person to decide.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input: z.object(decisionInput),
  output: decisionOutput,
  async run(context, { review_id: id, undo_seconds: undoSeconds, version }) {
    return decide(context, { id, version, decision: { action: 'reject' }, undoSeconds });
  },
});
