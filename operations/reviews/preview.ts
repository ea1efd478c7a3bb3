/** `reviews.preview`: who could read what after many decisions at once. It decides nothing. */
import { z } from 'zod';
import {
  audienceAfterRejection,
  audiencesOf,
  AUDIENCES,
} from '../../domain/governance/audience.ts';
import { DECIDED_ALONE } from '../../domain/governance/decisions.ts';
import { groupedByReaders, type ReadersChange } from '../../domain/governance/readership.ts';
import type { RefusalCode } from '../../domain/errors.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import { isDecidable } from '../../domain/governance/items.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { assertCurator } from '../access/curator.ts';
import { defineOperation } from '../operation.ts';
import { reviewId, versionField } from './decide.ts';
import { itemViews, type ItemView } from './item.ts';
import { peopleCount } from './people.ts';

const MOST_PREVIEWED = 100;

const decisionField = z.object({
  id: reviewId,
  version: versionField,
  action: z.enum(['approve', 'reject', 'defer']),
});
type Decision = z.output<typeof decisionField>;

/** The items that the caller may see, by their ids. */
async function lookedAt(
  stores: Stores,
  caller: Caller,
  decisions: readonly Decision[],
): Promise<ReadonlyMap<string, ItemView>> {
  const ids = [...new Set(decisions.map(({ id }) => id))];
  const items = await stores.reviews.allFor(ids, caller.peerId);
  const curated = items.filter(({ scope_path: path }) => curates(caller, path));
  const views = await itemViews(stores, caller, curated);
  return new Map(views.map((view) => [view.id, view]));
}

/** Why a decision of many would be refused; null where it would not. */
function refusalOf(
  caller: Caller,
  { action, version }: Decision,
  item: ItemView,
): RefusalCode | null {
  const isAlone = DECIDED_ALONE.includes(item.kind);
  const isWaiting = item.scheduled !== null;
  if (isAlone || isWaiting || !isDecidable(item) || item.version !== version) return 'conflict';
  const { target_scope_path: target } = item;
  const isBeyond = target !== null && !curates(caller, target);
  return action === 'approve' && isBeyond ? 'forbidden' : null;
}

function changeOf({ action }: Decision, item: ItemView): ReadersChange {
  const { after, before } = audiencesOf(item);
  const afterwards = { approve: after, reject: audienceAfterRejection(item), defer: before };
  return { knowledgeId: item.knowledge.id, before, after: afterwards[action] };
}

async function previewed(stores: Stores, caller: Caller, decisions: readonly Decision[]) {
  const looked = await lookedAt(stores, caller, decisions);
  const refused: { id: string; code: RefusalCode }[] = [];
  const changes: ReadersChange[] = [];
  const decided = new Set<string>();
  for (const decision of decisions) {
    const { id } = decision;
    const each = looked.get(id);
    // The first decision about an item changes its version.
    const again = decided.has(id) ? 'conflict' : null;
    const code = each === undefined ? 'not_found' : (again ?? refusalOf(caller, decision, each));
    if (code === null && each !== undefined) changes.push(changeOf(decision, each));
    if (code === null) decided.add(id);
    else refused.push({ id, code });
  }
  const { groups, unchanged } = groupedByReaders(changes);
  const counts = groups.length === 0 ? [] : await stores.readership.count(groups);
  return {
    groups: groups.flatMap(({ knowledgeIds, readers, scope_path }, at) => {
      const people = counts[at];
      const statements = knowledgeIds.length;
      return people === undefined ? [] : [{ scope_path, readers, statements, people }];
    }),
    unchanged,
    refused,
  };
}

export const previewReviews = defineOperation({
  id: 'reviews.preview',
  access: 'human',
  effect: 'read',
  summary: 'Read who could read what after many decisions',
  description: `A request holds at most ${MOST_PREVIEWED} decisions. The service decides nothing. It answers who could read the statements after the decisions, and which decisions it would refuse. A personal statement counts as if its subject had consented.`,
  refusals: ['forbidden'],
  input: z.object({ decisions: z.array(decisionField).min(1).max(MOST_PREVIEWED) }),
  output: z.object({
    groups: z
      .array(
        z.object({
          scope_path: z.string(),
          readers: z.enum(AUDIENCES),
          statements: z.int().min(1),
          people: peopleCount,
        }),
      )
      .describe('The statements whose readers change, by place and readers after the decisions.'),
    unchanged: z.int().min(0).describe('The number of statements whose readers stay the same.'),
    refused: z.array(
      z.object({
        id: z.uuid(),
        code: z.string().describe('The code of the error that the decision would be refused with.'),
      }),
    ),
  }),
  async run({ caller, inAccount }, { decisions }) {
    assertCurator(caller);
    return inAccount(caller.accountId, (stores) => previewed(stores, caller, decisions), {
      readOnly: true,
    });
  },
});
