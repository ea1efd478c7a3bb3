/** `self.knowledge`: everything that is stated about the caller, the newest first. */
import { z } from 'zod';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { aboutSubject } from '../../domain/governance/visibility.ts';
import { defineOperation } from '../operation.ts';
import { limitField } from '../fields/read.ts';
import { ownStatement, shownToSubject } from './verdict.ts';
import { ownScopedReader } from '../access/own-reader.ts';

export const listOwnKnowledge = defineOperation({
  id: 'self.knowledge',
  access: 'human',
  effect: 'read',
  summary: 'List the statements about yourself',
  description:
    'Lists the statements about the caller in all scopes and in every state but `redacted`, the newest first. Statements that wait for a decision are in the list too.',
  input: z.object({
    limit: limitField,
    cursor: z
      .uuid()
      .nullish()
      .transform((cursor) => cursor ?? null)
      .meta({ description: 'The `x-next-cursor` of the previous page. Absent: the first page.' }),
  }),
  output: z.object({ items: z.array(ownStatement), next_cursor: z.uuid().nullable() }),
  async run({ caller, inAccount }, { cursor, limit }) {
    const { accountId, peerId } = caller;
    if (peerId === null) throw new Refusal('not_found');
    const visible = aboutSubject(peerId, 'listed');
    const rows = await inAccount(accountId, async (stores) => {
      const from = cursor === null ? null : await stores.desk.find(cursor);
      if (cursor !== null && from?.subject_peer_id !== peerId) {
        throw invalidField('cursor', 'must be the cursor of the previous page');
      }
      return stores.knowledge.read({
        selection: { by: 'subject', peerId, afterId: cursor, limit: limit + 1 },
        visible,
        replaced: visible,
        reader: ownScopedReader(caller),
      });
    });
    const page = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    return {
      items: page.map(shownToSubject),
      next_cursor: hasMore ? (page.at(-1)?.id ?? null) : null,
    };
  },
});
