/** `self.redact`: a person withdraws a statement about that person, from any state and for good. */
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { knowledgeId, ownStatement, sayAbout } from './verdict.ts';

export const redactOwnKnowledge = defineOperation({
  id: 'self.redact',
  access: 'human',
  effect: 'write',
  summary: 'Withdraw a statement about yourself',
  description:
    'It is shown no more, to anybody, and nobody reviews that. The same sentence, said again, waits for a person. The observations it was drawn from stay as they are.',
  refusals: ['not_found', 'conflict'],
  input: z.object({ knowledge_id: knowledgeId }),
  output: ownStatement,
  async run(context, { knowledge_id: id }) {
    return sayAbout(context, id, { action: 'redact' });
  },
});
