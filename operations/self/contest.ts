/** `self.contest`: a person disputes a statement about that person. Curators have 24 hours to decide. */
import { z } from 'zod';
import type { Stores } from '../../stores/postgres/stores.ts';
import { defineOperation } from '../operation.ts';
import { wordsField } from '../reviews/words-field.ts';
import { assertTakenIn } from '../secrets.ts';
import { knowledgeId, ownStatement, sayAbout } from './verdict.ts';

export const contestOwnKnowledge = defineOperation({
  id: 'self.contest',
  access: 'human',
  effect: 'write',
  summary: 'Dispute a statement about yourself',
  description:
    'Reads no longer show the statement. A curator has 24 hours to decide. If the curator upholds the contest, the statement is rejected. If the curator dismisses it, the statement returns to its earlier state. A second contest of the same statement gets the same answer.',
  refusals: ['not_found', 'conflict'],
  input: z.object({
    knowledge_id: knowledgeId,
    reason: wordsField.nullish().meta({
      description: 'What is wrong with it, for the curator who decides.',
    }),
    correction: wordsField.nullish().meta({
      description: 'What would be right. The curator may reword the statement by it.',
    }),
  }),
  output: ownStatement,
  async run(context, { correction: right, knowledge_id: id, reason: why }) {
    const { sweep, traceId } = context;
    const [reason, correction] = [why ?? null, right ?? null];
    await assertTakenIn(context, 'reason', () => reason ?? '');
    await assertTakenIn(context, 'correction', () => correction ?? '');
    const alsoWrite = async (stores: Stores, peerId: string): Promise<void> => {
      const item = await stores.reviews.openOf(id, ['contest']);
      if (item === null) return;
      await stores.runs.enter({ kind: 'contest', traceId, targetId: item.id });
      if (reason === null && correction === null) return;
      await stores.reviewWords.say(item.id, peerId, { reason, correction });
    };
    const words = [reason, correction];
    const answer = await sayAbout(context, id, { action: 'contest' }, { alsoWrite, words });
    sweep.soon();
    return answer;
  },
});
