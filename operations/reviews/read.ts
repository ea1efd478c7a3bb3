/** `reviews.read`: one item with everything that a decision needs. Each look is audited. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { TARGET_LEVELS } from '../../domain/statements/candidate.ts';
import { audiencesOf, AUDIENCES } from '../../domain/governance/audience.ts';
import type { CuratorReach } from '../../domain/governance/curator-reach.ts';
import { meantFor } from '../../domain/governance/visibility.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import type { AuditEvent } from '../../stores/postgres/audit/audit.store.ts';
import type { SourceRow, TurnRow } from '../../stores/postgres/knowledge/review-sources.store.ts';
import type { ItemRow } from '../../stores/postgres/knowledge/reviews.store.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import { assertCurator } from '../access/curator.ts';
import { curatorReach } from '../access/curator-reach.ts';
import { defineOperation } from '../operation.ts';
import { itemOutput, itemViews, reviewedStatement, type ItemView } from './item.ts';
import { reviewId } from './decide.ts';
import { decisionOutput, versioned } from './decision-output.ts';
import { reviewedSource, reviewedSourceInTurn, sourceInTurnView, sourceView } from './evidence.ts';
import { namedPeer, peerOf, peopleCount } from './people.ts';
import { NOBODY } from '../../domain/governance/scoped-reader.ts';

/** Sources that are shown with the turns around them, and sources of a statement that is contradicted. */
const MOST_SOURCES_IN_TURN = 5;
const MOST_SOURCES_OF_CONFLICT = 2;

const NO_PEOPLE = { count: 0, is_capped: false };

const audience = z.object({
  scope_path: z.string(),
  target_level: z.enum(TARGET_LEVELS),
  readers: z.enum(AUDIENCES),
  people: peopleCount,
});

const oneItem = itemOutput.extend({
  sources: z
    .array(reviewedSourceInTurn)
    .describe('The texts of the sources in scopes that the caller curates, the earliest first.'),
  conflicts: z
    .array(reviewedStatement.extend({ sources: z.array(reviewedSource) }))
    .describe(
      'The statements that it contradicts, in scopes that the caller curates, each with its earliest sources.',
    ),
  audience: z
    .object({ before: audience, after: audience })
    .describe('The readers of the statement now, and its readers after an approval.'),
  consent: z
    .enum(['pending', 'granted', 'denied'])
    .nullable()
    .describe("The subject's consent for the target. Null if nobody asked the subject."),
  decisions: z.array(
    decisionOutput.extend({
      by: namedPeer.nullable().describe('Who decided. Null: the rules, or nobody who is known.'),
    }),
  ),
  words: z
    .object({
      reason: z.string().nullable(),
      correction: z.string().nullable(),
      by: namedPeer.nullable(),
      said_at: z.iso.datetime(),
    })
    .nullable()
    .describe(
      'What was said when the item was opened: by the subject, or by the curator who asks.',
    ),
});
type OneItem = z.input<typeof oneItem>;

async function conflictsOf(
  stores: Stores,
  caller: Caller,
  item: ItemRow,
): Promise<readonly KnowledgeRow[]> {
  const { conflict_knowledge_id: id } = item;
  if (id === null) return [];
  const rows = await stores.knowledge.read({
    selection: { by: 'ids', ids: [id] },
    visible: meantFor(caller.peerId),
    reader: NOBODY,
  });
  return rows.filter((row) => curates(caller, row.scope_path));
}

interface Evidence {
  readonly sources: readonly SourceRow[];
  readonly turns: readonly TurnRow[];
  readonly conflicts: readonly {
    readonly row: KnowledgeRow;
    readonly sources: readonly SourceRow[];
  }[];
}

async function evidenceOf(
  stores: Stores,
  caller: Caller,
  curator: CuratorReach,
  item: ItemRow,
): Promise<Evidence> {
  const { reviewSources: evidence } = stores;
  const sources = await evidence.sources(item.knowledge_id, curator);
  const inTurn = sources.slice(0, MOST_SOURCES_IN_TURN).map((source) => source.message_id);
  const turns = inTurn.length === 0 ? [] : await evidence.turns(inTurn, caller.peerId);
  const conflicts = [];
  for (const row of await conflictsOf(stores, caller, item)) {
    const said = await evidence.sources(row.id, curator, MOST_SOURCES_OF_CONFLICT);
    conflicts.push({ row, sources: said });
  }
  return { sources, turns, conflicts };
}

/** That a curator looked, and at which messages: nobody else who was not there may read them. */
function looks(caller: Caller, itemId: string, shown: Evidence): AuditEvent[] {
  const look = { category: 'access', actor: auditActor(caller) } as const;
  const { conflicts, sources, turns } = shown;
  const messages = [...sources, ...turns, ...conflicts.flatMap((each) => each.sources)];
  const ids = new Set(messages.map((message) => message.message_id));
  return [
    {
      ...look,
      action: 'review.looked_at',
      resourceType: 'review_item',
      resourceId: itemId,
      metadata: { sources: sources.length },
    },
    ...Array.from(ids, (messageId) => ({
      ...look,
      action: 'message.looked_at',
      resourceType: 'message',
      resourceId: messageId,
      metadata: { review_item_id: itemId },
    })),
  ];
}

/** Who reads the statement now and after an approval, and how many people that are. */
async function audienceOf(stores: Stores, view: ItemView): Promise<OneItem['audience']> {
  const { after, before } = audiencesOf(view);
  const knowledgeIds = [view.knowledge.id];
  const [now = NO_PEOPLE, then = NO_PEOPLE] = await stores.readership.count([
    { ...before, knowledgeIds },
    { ...after, knowledgeIds },
  ]);
  return {
    before: { ...before, people: now },
    after: { ...after, people: then },
  };
}

async function decisionsOf(stores: Stores, item: ItemRow): Promise<OneItem['decisions']> {
  const rows = await stores.reviewSources.decisions(item.knowledge_id);
  return rows.map(({ peer_key: key, peer_name: name, ...row }) => ({
    ...versioned(row),
    by: peerOf(key, name),
  }));
}

async function wordsOf(stores: Stores, item: ItemRow): Promise<OneItem['words']> {
  const words = await stores.reviewSources.words(item.id);
  if (words === null) return null;
  const { correction, peer_key: key, peer_name: name, reason, said_at } = words;
  return { reason, correction, by: peerOf(key, name), said_at };
}

export const readReview = defineOperation({
  id: 'reviews.read',
  access: 'human',
  effect: 'read',
  summary: 'Read an item with all that a decision needs',
  description:
    'Only curators of the scope of the statement may read it. The service records each look, and each message that it shows.',
  refusals: ['forbidden', 'not_found'],
  input: z.object({ review_id: reviewId }),
  output: oneItem,
  async run({ caller, inAccount }, { review_id: id }) {
    assertCurator(caller);
    return inAccount(caller.accountId, async (stores) => {
      const item = await stores.reviews.findFor(id, caller.peerId);
      const curator = curatorReach(caller);
      const isCurated = item !== null && curates(caller, item.scope_path);
      if (!isCurated || curator === null) throw new Refusal('not_found');
      const [view] = await itemViews(stores, caller, [item]);
      if (view === undefined) throw new Refusal('not_found');
      const shown = await evidenceOf(stores, caller, curator, item);
      await stores.audit.record(...looks(caller, id, shown));
      return {
        ...view,
        sources: shown.sources.map((row) => sourceInTurnView(row, shown.turns)),
        conflicts: shown.conflicts.map(({ row, sources }) => ({
          ...row,
          sources: sources.map(sourceView),
        })),
        audience: await audienceOf(stores, view),
        consent: await stores.reviews.consent(item),
        decisions: await decisionsOf(stores, item),
        words: await wordsOf(stores, item),
      };
    });
  },
});
