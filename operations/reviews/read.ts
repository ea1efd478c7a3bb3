/** `reviews.read`: one item with everything that a decision needs. Each look is audited. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { TARGET_LEVELS } from '../../domain/statements/candidate.ts';
import { audiencesOf, AUDIENCES } from '../../domain/governance/audience.ts';
import { meantFor } from '../../domain/governance/visibility.ts';
import { excerptAround } from '../../domain/text/excerpt.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import type { AuditEvent } from '../../stores/postgres/audit/audit.store.ts';
import type { ItemRow, SourceRow } from '../../stores/postgres/knowledge/reviews.store.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import { assertCurator } from '../access/curator.ts';
import { defineOperation } from '../operation.ts';
import { itemOutput, itemViews, reviewedStatement } from './item.ts';
import { reviewId } from './decide.ts';
import { decisionOutput } from './decision-output.ts';
import { NOBODY } from '../../domain/governance/scoped-reader.ts';

const EXCERPT_CLUSTERS = 480;

const audience = z.object({
  scope_path: z.string(),
  target_level: z.enum(TARGET_LEVELS),
  readers: z.enum(AUDIENCES),
});

const oneItem = itemOutput.extend({
  sources: z
    .array(z.object({ message_id: z.uuid(), excerpt: z.string() }))
    .describe('The texts of the sources in scopes that the caller curates, the earliest first.'),
  conflicts: z
    .array(reviewedStatement)
    .describe('The statements that it contradicts, in scopes that the caller curates.'),
  audience: z
    .object({ before: audience, after: audience })
    .describe('The readers of the statement now, and its readers after an approval.'),
  consent: z
    .enum(['pending', 'granted', 'denied'])
    .nullable()
    .describe("The subject's consent for the target. Null if nobody asked the subject."),
  decisions: z.array(decisionOutput),
});

/** The message around what supports the statement, or its beginning. */
function excerptOf({ message_id, passage, ...row }: SourceRow) {
  const { passage_offset: before, span_length: length, span_offset: offset } = row;
  const span = offset === null || length === null ? null : { offset: offset - before, length };
  const passageOf = { text: passage, span, isCutBefore: before > 0 };
  return { message_id, excerpt: excerptAround(passageOf, EXCERPT_CLUSTERS) };
}

async function conflictsOf(
  stores: Stores,
  caller: Caller,
  item: ItemRow,
): Promise<readonly KnowledgeRow[]> {
  const { conflict_knowledge_id: id } = item;
  if (id === null) return [];
  return stores.knowledge.read({
    selection: { by: 'ids', ids: [id] },
    visible: meantFor(caller.peerId),
    reader: NOBODY,
  });
}

/** That a curator looked, and at which messages: nobody else who was not there may read them. */
function looks(caller: Caller, itemId: string, sources: readonly SourceRow[]): AuditEvent[] {
  const look = { category: 'access', actor: auditActor(caller) } as const;
  return [
    {
      ...look,
      action: 'review.looked_at',
      resourceType: 'review_item',
      resourceId: itemId,
      metadata: { sources: sources.length },
    },
    ...sources.map(({ message_id: messageId }) => ({
      ...look,
      action: 'message.looked_at',
      resourceType: 'message',
      resourceId: messageId,
      metadata: { review_item_id: itemId },
    })),
  ];
}

export const readReview = defineOperation({
  id: 'reviews.read',
  access: 'human',
  effect: 'read',
  summary: 'Read an item with all that a decision needs',
  description:
    'Only curators of the scope of the statement may read it. The service records each look.',
  refusals: ['forbidden', 'not_found'],
  input: z.object({ review_id: reviewId }),
  output: oneItem,
  async run({ caller, inAccount }, { review_id: id }) {
    assertCurator(caller);
    return inAccount(caller.accountId, async (stores) => {
      const item = await stores.reviews.findFor(id, caller.peerId);
      if (item === null || !curates(caller, item.scope_path)) throw new Refusal('not_found');
      const [view] = await itemViews(stores, caller, [item]);
      if (view === undefined) throw new Refusal('not_found');
      const scopes = await stores.reviews.sourceScopes(item.knowledge_id);
      const curated = scopes.filter(({ path }) => curates(caller, path)).map((scope) => scope.id);
      const sources = await stores.reviews.sources(item.knowledge_id, curated, caller.peerId);
      const conflicts = await conflictsOf(stores, caller, item);
      await stores.audit.record(...looks(caller, id, sources));
      return {
        ...view,
        sources: sources.map(excerptOf),
        conflicts: conflicts
          .filter((row) => curates(caller, row.scope_path))
          .map((row) => ({ ...row })),
        audience: audiencesOf(view),
        consent: await stores.reviews.consent(item),
        decisions: [...(await stores.reviews.decisions(item.knowledge_id))],
      };
    });
  },
});
