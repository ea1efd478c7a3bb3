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
    'It is shown no more, and a curator has 24 hours to decide: upheld, it is rejected; dismissed, it is as it was before. A statement that is contested already gets the same answer.',
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
