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
    'Reads show the statement to nobody, and no curator reviews the redaction. If the same sentence is extracted again, it waits for a person to decide. The source observations stay as they are.',
  refusals: ['not_found', 'conflict'],
  input: z.object({ knowledge_id: knowledgeId }),
  output: ownStatement,
  async run(context, { knowledge_id: id }) {
    return sayAbout(context, id, { action: 'redact' });
  },
});
