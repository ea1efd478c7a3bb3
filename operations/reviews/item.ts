/** An item of the review queue as curators are shown it. */
import { z } from 'zod';
import { SENSITIVITIES, TARGET_LEVELS } from '../../domain/statements/candidate.ts';
import { ITEM_KINDS, ITEM_STATES } from '../../domain/governance/items.ts';
import { meantFor } from '../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES } from '../../domain/statements/states.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { ItemRow } from '../../stores/postgres/knowledge/reviews.store.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { knowledgeOutput } from '../observations/knowledge-output.ts';
import { ownScopedReader } from '../access/own-reader.ts';

export const reviewedStatement = knowledgeOutput
  .extend({ scope_path: z.string() })
  .meta({ id: 'ReviewedStatement', description: 'A statement that a curator decides about.' });

export const itemOutput = z
  .object({
    id: z.uuid(),
    version: z
      .int()
      .min(1)
      .describe(
        'The version changes whenever the question of the item changes. A decision must name it.',
      ),
    kind: z.enum(ITEM_KINDS),
    state: z.enum(ITEM_STATES),
    reason: z.string().describe('A code that says why a person has to decide.'),
    knowledge: reviewedStatement,
    conflict_knowledge_id: z
      .uuid()
      .nullable()
      .describe('The other statement of a contradiction. Null for any other item.'),
    target_scope_path: z
      .string()
      .nullable()
      .describe('The scope in which an approval places the statement. Null: where it is now.'),
    target_level: z.enum(TARGET_LEVELS),
    proposed_sensitivity: z
      .enum(SENSITIVITIES)
      .nullable()
      .describe('The sensitivity that an approval gives to the statement. Null: the present one.'),
    restored_state: z
      .enum(KNOWLEDGE_STATES)
      .nullable()
      .describe('The state that a dismissal of the contest gives back. Null for any other item.'),
    due_at: z.iso.datetime(),
    escalated_at: z.iso.datetime().nullable(),
  })
  .meta({
    id: 'ReviewItem',
    description: 'A question about a statement that waits for a curator.',
  });
export type ItemView = z.input<typeof itemOutput>;

function itemView(item: ItemRow, knowledge: KnowledgeRow): ItemView {
  return { ...item, knowledge };
}

/** The statements in whatever state they are, for a curator of their scopes whom their audiences do not leave out. */
export async function statementViews(
  stores: Stores,
  caller: Caller,
  ids: readonly string[],
): Promise<readonly KnowledgeRow[]> {
  return stores.knowledge.read({
    selection: { by: 'ids', ids },
    visible: meantFor(caller.peerId),
    reader: ownScopedReader(caller),
  });
}

/** The items with their statements, which a curator of the scope sees in whatever state they are. */
export async function itemViews(
  stores: Stores,
  caller: Caller,
  items: readonly ItemRow[],
): Promise<ItemView[]> {
  const ids = [...new Set(items.map((item) => item.knowledge_id))];
  const rows = await statementViews(stores, caller, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return items.flatMap((item) => {
    const knowledge = byId.get(item.knowledge_id);
    return knowledge === undefined ? [] : [itemView(item, knowledge)];
  });
}
