/** `reviews.edit`: a curator puts the statement of an item into other words. */
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { invalidField } from '../../domain/errors.ts';
import { SENSITIVITIES } from '../../domain/statements/candidate.ts';
import { cleanText, MAX_STATEMENT } from '../../domain/extraction/validate-text.ts';
import { statementHashOf } from '../../engine/knowledge/claims.ts';
import { defineOperation } from '../operation.ts';
import { assertTakenIn } from '../secrets.ts';
import { conclude, decisionInput, decisionOutput } from './decide.ts';

export const editReview = defineOperation({
  id: 'reviews.edit',
  access: 'human',
  effect: 'write',
  summary: 'Reword the statement of an item',
  description:
    'The new text becomes a proposal of its own, with the sources, the window and the confidence of the old statement, and goes through the gates. With `approve` the curator also approves it. A placed statement stays until the new text is placed. The service supersedes any other statement at once. Returns the new statement.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input: z.object({
    ...decisionInput,
    statement: z
      .string()
      .max(MAX_STATEMENT, `must have at most ${MAX_STATEMENT} characters`)
      .transform(cleanText)
      .meta({
        description: `The whole new text, in the third person. At most ${MAX_STATEMENT} characters.`,
        wire: { minLength: 1, maxLength: MAX_STATEMENT, examples: ['Ana lives in Porto.'] },
      }),
    sensitivity: z
      .enum(SENSITIVITIES)
      .nullish()
      .describe('The sensitivity of the new text. Absent: the sensitivity of the statement.'),
    approve: z.boolean().nullish().describe('Whether the curator approves the new text as well.'),
  }),
  output: decisionOutput,
  async run(context, { approve, sensitivity, statement: text, ...asked }) {
    const { review_id: id, undo_seconds: undoSeconds, version } = asked;
    const statementHash = statementHashOf(text);
    if (statementHash === null) throw invalidField('statement', 'must hold a word');
    await assertTakenIn(context, 'statement', () => text);
    const decision = {
      action: 'edit',
      newId: uuidv7(),
      text,
      statementHash,
      sensitivity: sensitivity ?? null,
      approve: approve ?? false,
    } as const;
    return conclude(context, {
      id,
      version,
      decision,
      undoSeconds,
      fields: [version, text, decision.sensitivity, decision.approve, undoSeconds],
      statementId: decision.newId,
    });
  },
});
