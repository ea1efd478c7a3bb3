/** `self.confirm`: a person says that a statement about that person is true. */
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { timeToCome } from '../time-to-come.ts';
import { knowledgeId, ownStatement, sayAbout } from './verdict.ts';

export const confirmOwnKnowledge = defineOperation({
  id: 'self.confirm',
  access: 'human',
  effect: 'write',
  summary: 'Confirm a statement about yourself',
  description:
    'What waited becomes active in its own scope, at peer level. What is placed keeps its level and gets a new date of revalidation. What the caller contested is as it was before.',
  refusals: ['not_found', 'conflict'],
  input: z.object({
    knowledge_id: knowledgeId,
    expires_at: timeToCome.meta({
      description: 'When the statement stops to be shown: a time to come. Absent: as before.',
    }),
  }),
  output: ownStatement,
  async run(context, { expires_at: expiresAt, knowledge_id: id }) {
    return sayAbout(context, id, { action: 'confirm', expiresAt: expiresAt(context.now) });
  },
});
