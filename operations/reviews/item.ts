/** An item of the review queue as curators are shown it. */
import { z } from 'zod';
import { SENSITIVITIES, TARGET_LEVELS } from '../../domain/statements/candidate.ts';
import { DECISION_ACTIONS, VOID_REASONS } from '../../domain/governance/decisions.ts';
import { ITEM_KINDS, ITEM_STATES } from '../../domain/governance/items.ts';
import { meantFor } from '../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES } from '../../domain/statements/states.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { ItemRow } from '../../stores/postgres/knowledge/reviews.store.ts';
import type { ShownRow } from '../../stores/postgres/knowledge/review-desk.store.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { knowledgeOutput } from '../observations/knowledge-output.ts';
import { curatorReach } from '../access/curator-reach.ts';
import { ownScopedReader } from '../access/own-reader.ts';
import { namedPeer, peerOf } from './people.ts';

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
    opened_at: z.iso.datetime(),
    subject: namedPeer
      .nullable()
      .describe('The peer that the statement is about. Null: it is about a scope.'),
    session_id: z
      .string()
      .nullable()
      .describe(
        'The session of the earliest source that the caller is shown. Null: a document, or no such source.',
      ),
    scheduled: z
      .object({ action: z.enum(DECISION_ACTIONS), decided_by: namedPeer, due_at: z.iso.datetime() })
      .nullable()
      .describe(
        'A decision that the service carries out at `due_at`, and that can be undone until then.',
      ),
    voided: z
      .object({
        action: z.enum(DECISION_ACTIONS),
        decided_by: namedPeer,
        reason: z.enum(VOID_REASONS).describe('Why it was not carried out.'),
        at: z.iso.datetime(),
      })
      .nullable()
      .describe('The latest decision about the open item, if the service could not carry it out.'),
  })
  .meta({
    id: 'ReviewItem',
    description: 'A question about a statement that waits for a curator.',
  });
export type ItemView = z.input<typeof itemOutput>;

/** The latest decision about an item that waits, or that came to nothing. */
function latestDecision(row: ShownRow): Pick<ItemView, 'scheduled' | 'voided'> {
  const { action, decision_state: state, due_at: due, end_reason: reason, ended_at: at } = row;
  const by = peerOf(row.decider_key, row.decider_name);
  if (action === null || by === null) return { scheduled: null, voided: null };
  const decision = { action, decided_by: by };
  const isWaiting = state === 'scheduled' && due !== null;
  const isVoid = state === 'void' && at !== null;
  return {
    scheduled: isWaiting ? { ...decision, due_at: due } : null,
    voided: isVoid ? { ...decision, reason: reason ?? 'not_possible', at } : null,
  };
}

function itemView(item: ItemRow, knowledge: KnowledgeRow, beside: ShownRow): ItemView {
  return {
    ...item,
    knowledge,
    opened_at: beside.opened_at,
    subject: peerOf(beside.subject_key, beside.subject_name),
    session_id: beside.session_id,
    ...latestDecision(beside),
  };
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
  const reach = curatorReach(caller);
  if (items.length === 0 || reach === null) return [];
  const ids = [...new Set(items.map((item) => item.knowledge_id))];
  const rows = await statementViews(stores, caller, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const itemIds = items.map(({ id }) => id);
  const beside = new Map(
    (await stores.reviewDesk.shown(itemIds, reach)).map((row) => [row.id, row]),
  );
  return items.flatMap((item) => {
    const [knowledge, shown] = [byId.get(item.knowledge_id), beside.get(item.id)];
    return knowledge === undefined || shown === undefined ? [] : [itemView(item, knowledge, shown)];
  });
}
