/** `self.contest`: a person disputes a statement about that person. Curators have 24 hours to decide. */
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { knowledgeId, ownStatement, sayAbout } from './verdict.ts';

export const contestOwnKnowledge = defineOperation({
  id: 'self.contest',
  access: 'human',
  effect: 'write',
  summary: 'Dispute a statement about yourself',
  description:
    'Reads no longer show the statement. A curator has 24 hours to decide. If the curator upholds the contest, the statement is rejected. If the curator dismisses it, the statement returns to its earlier state. A second contest of the same statement gets the same answer.',
  refusals: ['not_found', 'conflict'],
  input: z.object({ knowledge_id: knowledgeId }),
  output: ownStatement,
  async run(context, { knowledge_id: id }) {
    const { sweep, traceId } = context;
    const answer = await sayAbout(context, id, { action: 'contest' }, async (stores) => {
      const item = await stores.reviews.openOf(id, ['contest']);
      if (item !== null) await stores.runs.enter({ kind: 'contest', traceId, targetId: item.id });
    });
    sweep.soon();
    return answer;
  },
});
