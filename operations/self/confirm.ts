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
    'A statement that waited for a decision becomes active in its own scope, at peer level. A placed statement keeps its level and gets a new date of revalidation. A statement that the caller contested returns to its earlier state.',
  refusals: ['not_found', 'conflict'],
  input: z.object({
    knowledge_id: knowledgeId,
    expires_at: timeToCome.meta({
      description: 'When the statement expires: a time in the future. Absent: as before.',
    }),
  }),
  output: ownStatement,
  async run(context, { expires_at: expiresAt, knowledge_id: id }) {
    return sayAbout(context, id, { action: 'confirm', expiresAt: expiresAt(context.now) });
  },
});
