/** `self.consents`: where the caller was asked to agree that a statement is shared. */
import { z } from 'zod';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { aboutSubject } from '../../domain/governance/visibility.ts';
import type { ConsentRow } from '../../stores/postgres/knowledge/consents.store.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { defineOperation } from '../operation.ts';
import { limitField } from '../fields/read.ts';
import { ownStatement, shownToSubject } from './verdict.ts';
import { ownScopedReader } from '../access/own-reader.ts';
import type { Caller } from '../../domain/identity/caller.ts';

export const consentOutput = z
  .object({
    id: z.uuid(),
    status: z.enum(['pending', 'granted', 'denied']),
    target_scope_path: z.string().describe('The scope in which the statement would be shared.'),
    requested_at: z.iso.datetime(),
    decided_at: z.iso.datetime().nullable(),
    knowledge: ownStatement,
  })
  .meta({ id: 'Consent', description: 'Whether the caller agrees that a statement is shared.' });

/** The consents with their statements; those of statements that are gone are left out. */
export async function consentViews(
  stores: Stores,
  caller: Caller,
  peerId: string,
  consents: readonly ConsentRow[],
): Promise<z.input<typeof consentOutput>[]> {
  const visible = aboutSubject(peerId);
  const rows = await stores.knowledge.read({
    selection: { by: 'ids', ids: [...new Set(consents.map((row) => row.knowledge_id))] },
    visible,
    replaced: visible,
    reader: ownScopedReader(caller),
  });
  const byId = new Map<string, KnowledgeRow>(rows.map((row) => [row.id, row]));
  return consents.flatMap(({ id, knowledge_id, status, ...row }) => {
    const knowledge = byId.get(knowledge_id);
    const { decided_at, requested_at, target_scope_path } = row;
    const shown = { id, status, target_scope_path, requested_at, decided_at };
    return knowledge === undefined ? [] : [{ ...shown, knowledge: shownToSubject(knowledge) }];
  });
}

export const listOwnConsents = defineOperation({
  id: 'self.consents',
  access: 'human',
  effect: 'read',
  summary: 'List the requests for your consent',
  description:
    'The service shares a personal statement beyond its subject only with the consent of that person. The newest question comes first.',
  input: z.object({
    limit: limitField,
    cursor: z
      .uuid()
      .nullish()
      .meta({ description: 'The `x-next-cursor` of the previous page. Absent: the first page.' }),
  }),
  output: z.object({ items: z.array(consentOutput), next_cursor: z.uuid().nullable() }),
  async run({ caller, inAccount }, { cursor, limit }) {
    const { accountId, peerId } = caller;
    if (peerId === null) throw new Refusal('not_found');
    const afterId = cursor ?? null;
    return inAccount(accountId, async (stores) => {
      const last = afterId === null ? null : await stores.consents.find(afterId);
      if (afterId !== null && last?.subject_peer_id !== peerId) {
        throw invalidField('cursor', 'must be the cursor of the previous page');
      }
      const rows = await stores.consents.of(peerId, { afterId, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null;
      return { items: await consentViews(stores, caller, peerId, page), next_cursor: next };
    });
  },
});
