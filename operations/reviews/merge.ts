/** `reviews.merge`: a curator says that the statement of an item says the same as another one. */
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { conclude, decisionInput, decisionOutput } from './decide.ts';

export const mergeReview = defineOperation({
  id: 'reviews.merge',
  access: 'human',
  effect: 'write',
  summary: 'Merge the statement of an item into another one',
  description:
    'The other statement keeps its text and takes over the sources, so the speakers of both attest it. It must be open, about the same subject, no less sensitive, and in a scope that the caller curates. The service supersedes the merged statement. Returns the other statement.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input: z.object({
    ...decisionInput,
    into: z.uuid().describe('The id of the statement that stays.'),
  }),
  output: decisionOutput,
  async run(context, { into, review_id: id, undo_seconds: undoSeconds, version }) {
    return conclude(context, {
      id,
      version,
      decision: { action: 'merge', intoId: into },
      undoSeconds,
      fields: [version, into, undoSeconds],
      statementId: into,
    });
  },
});
