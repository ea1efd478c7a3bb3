/**
 * `self.questions`, `self.leave_question`: what the caller is asked about statements about the caller. Yes and no are said
 * as on the page of the statement (`self.confirm`, `self.redact`), which ends the question; here it is left open.
 */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { aboutSubject } from '../../domain/governance/visibility.ts';
import { NO_WISH } from '../../domain/questions/preference.ts';
import { ASKED_KINDS } from '../../domain/questions/words.ts';
import { auditActor } from '../audit-actor.ts';
import { defineOperation } from '../operation.ts';
import { preferenceOutput } from '../questions/preference.ts';
import { limitField } from '../fields/read.ts';
import { ownStatement, shownToSubject } from './verdict.ts';
import { ownScopedReader } from '../access/own-reader.ts';

const questionOutput = z.object({
  id: z.uuid(),
  kind: z
    .enum(ASKED_KINDS)
    .describe(
      '`confirm` asks whether a waiting statement is true. `revalidate` asks whether a statement is still true.',
    ),
  deadline_at: z.iso.datetime().describe('When the question ends without an answer.'),
  knowledge: ownStatement,
});

export const listOwnQuestions = defineOperation({
  id: 'self.questions',
  access: 'human',
  effect: 'read',
  summary: 'List the open questions about yourself',
  description:
    'Lists the open questions whether a statement about the caller is true. A question is in the list whether an agent has asked it or not. The question with the earliest deadline comes first. Questions about sharing are in the list of consents.',
  refusals: ['not_found'],
  input: z.object({ limit: limitField }),
  output: z.object({
    items: z.array(questionOutput),
    more: z
      .boolean()
      .describe('Whether there are more questions. They appear after the caller answers these.'),
    preference: preferenceOutput,
  }),
  async run({ caller, inAccount }, { limit }) {
    const { accountId, peerId } = caller;
    if (peerId === null) throw new Refusal('not_found');
    return inAccount(accountId, async (stores) => {
      const rows = await stores.answers.askedOf(peerId, limit + 1);
      const visible = aboutSubject(peerId, 'listed');
      const statements = await stores.knowledge.read({
        selection: { by: 'ids', ids: rows.map((row) => row.knowledge_id) },
        visible,
        replaced: visible,
        reader: ownScopedReader(caller),
      });
      const byId = new Map(statements.map((row) => [row.id, row]));
      const items = rows.slice(0, limit).flatMap(({ deadline_at, id, kind, knowledge_id }) => {
        const row = byId.get(knowledge_id);
        return row === undefined ? [] : [{ id, kind, deadline_at, knowledge: shownToSubject(row) }];
      });
      const preference = (await stores.askPreferences.of(peerId)) ?? NO_WISH;
      return { items, more: rows.length > limit, preference: { ...preference } };
    });
  },
});

export const leaveOwnQuestion = defineOperation({
  id: 'self.leave_question',
  access: 'human',
  effect: 'write',
  summary: 'Say that you do not know',
  description:
    'The answer ends a question about a statement about the caller. The statement stays as it is. The service asks the caller again only after the statement changes.',
  refusals: ['not_found'],
  input: z.object({ question_id: z.uuid() }),
  output: z.object({ id: z.uuid() }),
  async run({ caller, inAccount }, { question_id: id }) {
    const { accountId, peerId } = caller;
    if (peerId === null) throw new Refusal('not_found');
    await inAccount(accountId, async (stores) => {
      if (!(await stores.answers.isAskedOf(id, peerId))) throw new Refusal('not_found');
      await stores.answers.end(id, 'unsure_closed');
      await stores.audit.record({
        category: 'governance',
        action: 'question.answered',
        actor: auditActor(caller),
        resourceType: 'question',
        resourceId: id,
        metadata: { verdict: 'unsure', verification: 'verified', effect: 'unsure_closed' },
      });
    });
    return { id };
  },
});
